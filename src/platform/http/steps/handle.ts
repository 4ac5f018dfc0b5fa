import type { Declaration, Input } from '../../contract/operation.ts'
import type { Tx } from '../../db/index.ts'
import { ApiError } from '../../errors/index.ts'
import type { Exchange, HttpResponse, Services, Step } from '../exchange.ts'
import {
  insertStoredResponse,
  RunningInAnotherProcess,
  StoredByAnotherProcess,
  selectStoredResponse,
} from '../idempotency.ts'
import { RequestContext } from '../request-context.ts'
import { toErrorResponse, toResponse } from '../response.ts'
import { inProgress, replay } from './replay-idempotent.ts'

/** Runs the handler. With an Idempotency-Key, the transaction of the change also stores the response. */
export const handle: Step = async (exchange, services) => {
  const { params, query, body, after, route, sent } = exchange
  const input = { params, query, body, after, accept: sent.headers.accept } as Input<Declaration>
  /** The response that the transaction stored, and the handler result behind it. */
  let stored: { result: unknown; response: HttpResponse } | undefined

  const ctx = new RequestContext(exchange, services, async (tx, result) => {
    const response = toResponse(result, exchange, services)
    await storeResponse(tx, response, exchange, services)
    stored = { result, response }
  })

  try {
    const { offset, cursor } = route.operation.declared
    const isList = offset !== undefined || cursor !== undefined
    const run = () => route.handle(ctx, input)
    const result = await (isList ? services.lists.run(exchange.caller.orgId, run) : run())
    if (stored !== undefined && stored.result !== result) {
      throw new Error(`${route.operation.id} must return the result of its transaction`)
    }
    const response = stored?.response ?? toResponse(result, exchange, services)
    const mustStore = stored === undefined && exchange.identity !== undefined
    exchange.response = mustStore ? await storeSeparately(response, exchange, services) : response
  } catch (error) {
    exchange.response = await storeErrorResponse(error, exchange, services)
  }
}

/** Errors are stored, too: a repeated request must not succeed if the first one was rejected. */
async function storeErrorResponse(error: unknown, exchange: Exchange, services: Services): Promise<HttpResponse> {
  if (exchange.identity === undefined) throw error
  if (error instanceof StoredByAnotherProcess) return replayStored(exchange, services)
  if (error instanceof RunningInAnotherProcess) throw inProgress()
  if (!(error instanceof ApiError) || !mayBeStored(error)) throw error
  return storeSeparately(toErrorResponse(error, exchange.requestId), exchange, services)
}

/** Authentication, rate limit, validation and server errors are not stored: the next attempt may succeed. */
const mayBeStored = ({ status, code }: ApiError): boolean =>
  status < 500 && ![401, 403, 429].includes(status) && code !== 'invalid_payload'

/** Stores the response of a handler that wrote nothing. */
async function storeSeparately(response: HttpResponse, exchange: Exchange, services: Services): Promise<HttpResponse> {
  try {
    await services.database.write((tx) => storeResponse(tx, response, exchange, services), exchange.caller.orgId)
    return response
  } catch (error) {
    if (error instanceof StoredByAnotherProcess) return replayStored(exchange, services)
    if (error instanceof RunningInAnotherProcess) throw inProgress()
    throw error
  }
}

async function storeResponse(
  tx: Tx,
  response: HttpResponse,
  { identity, nowMs }: Exchange,
  { keyring }: Services,
): Promise<void> {
  if (identity === undefined) return
  await insertStoredResponse(tx, identity.orgId, identity, { ...response, body: String(response.body) }, keyring, nowMs)
}

async function replayStored(exchange: Exchange, services: Services): Promise<HttpResponse> {
  const { identity, nowMs } = exchange
  if (identity === undefined) throw new Error('only a request with an Idempotency-Key can be replayed')
  const stored = await selectStoredResponse(services.database.read, identity.orgId, identity, services.keyring, nowMs)
  if (stored === undefined) throw inProgress()
  return replay(stored, exchange, services)
}
