import type { Declaration, Input } from '../../../contract/operation.ts'
import { FileResponse } from '../../../contract/responses.ts'
import type { Tx } from '../../../db/index.ts'
import { ApiError } from '../../../errors/index.ts'
import type { Exchange, HttpResponse, Services, Step } from '../exchange.ts'
import { insertStoredResponse, type RequestIdentity, RunningInAnotherProcess, StoredBefore } from '../idempotency.ts'
import { RequestContext } from '../request-context.ts'
import { toErrorResponse, toFile, toResponse } from '../response.ts'
import { inProgress, replay } from './replay-idempotent.ts'

/** Runs the handler. With an Idempotency-Key, the transaction of the change also stores the response. */
export const handle: Step = async (exchange, services) => {
  const { params, query, body, refused, after, route, sent } = exchange
  const upload = exchange.upload?.file
  const input = { params, query, body, refused, upload, after, accept: sent.headers.accept } as Input<Declaration>
  /** The response that the transaction stored, and the handler result behind it. */
  let stored: { result: unknown; response: HttpResponse } | undefined

  const ctx = new RequestContext(exchange, services, async (tx, result) => {
    const response = toResponse(result, exchange, services)
    await storeResponse(tx, response, exchange, services)
    stored = { result, response }
  })

  try {
    const { offset, cursor, method, isRead } = route.operation.declared
    const isList = offset !== undefined || cursor !== undefined
    const run = async () => {
      // Nobody sees a part of a change, or misses a scan. Looked up here, because a list may have waited for its turn.
      const { orgId } = exchange.caller
      const settled = services.database.settled(orgId)
      if (settled !== undefined) await settled
      if (route.operation.showsRecorded) {
        const isChange = method !== 'GET' && !isRead
        const recorded = isChange ? services.settling.beforeChange(orgId) : services.settling.beforeRead(orgId)
        if (recorded !== undefined) await recorded
      }
      return route.handle(ctx, input)
    }
    const result = await (isList ? services.lists.run(exchange.caller.orgId, run) : run())
    if (stored !== undefined && stored.result !== result) {
      throw new Error(`${route.operation.id} must return the result of its transaction`)
    }
    const isFile = result instanceof FileResponse
    const response =
      stored?.response ?? (isFile ? await toFile(result, exchange) : toResponse(result, exchange, services))
    const mustStore = stored === undefined && exchange.identity !== undefined
    exchange.response = mustStore ? await storeSeparately(response, exchange, services) : response
  } catch (error) {
    exchange.response = await storeErrorResponse(error, exchange, services)
  }
}

/** Errors are stored, too: a repeated request must not succeed if the first one was rejected. */
async function storeErrorResponse(error: unknown, exchange: Exchange, services: Services): Promise<HttpResponse> {
  const { identity } = exchange
  if (identity === undefined) throw error
  if (error instanceof ApiError && mayBeStored(error)) {
    return storeSeparately(toErrorResponse(error, exchange.requestId), exchange, services)
  }
  return replayInstead(error, identity, exchange, services)
}

/** Authentication, rate limit, validation and server errors are not stored: the next attempt may succeed. */
const mayBeStored = ({ status, code }: ApiError): boolean =>
  status < 500 && ![401, 403, 429].includes(status) && code !== 'invalid_payload'

/** Stores the response of a handler that wrote nothing. */
async function storeSeparately(response: HttpResponse, exchange: Exchange, services: Services): Promise<HttpResponse> {
  const { identity, caller } = exchange
  try {
    await services.database.write((tx) => storeResponse(tx, response, exchange, services), caller.orgId)
    return response
  } catch (error) {
    if (identity === undefined) throw error
    return replayInstead(error, identity, exchange, services)
  }
}

/** The request failed. If it is a repeated one, the first response counts. */
async function replayInstead(
  error: unknown,
  identity: RequestIdentity,
  exchange: Exchange,
  services: Services,
): Promise<HttpResponse> {
  if (error instanceof RunningInAnotherProcess) throw inProgress()
  const isStored = error instanceof StoredBefore
  const first = isStored || error instanceof ApiError ? await replay(identity, exchange, services) : undefined
  if (first !== undefined) return first
  throw isStored ? inProgress() : error
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
