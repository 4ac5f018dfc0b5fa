import type { Declaration, Input } from '../../contract/operation.ts'
import { DatabaseUnavailable } from '../../db/failures.ts'
import type { Tx } from '../../db/index.ts'
import { ApiError } from '../../errors/index.ts'
import { toAnswer } from '../answer.ts'
import type { Answer, Exchange, Services, Step } from '../exchange.ts'
import { insertAnswer, selectAnswer } from '../idempotency.ts'
import { RequestContext } from '../request-context.ts'
import { inProgress, replay } from './replay-idempotent.ts'

/** Another process stored its answer to the same request first; ours is rolled back and theirs is given. */
class AnsweredElsewhere extends Error {}

/** The family's own work. With an Idempotency-Key its answer is stored by the transaction that made it true. */
export const handle: Step = async (exchange, services) => {
  const { params, query, body, after, route, sent } = exchange
  const input = { params, query, body, after, accept: sent.headers.accept } as Input<Declaration>
  /** The answer that a transaction stored, and what it was made of. */
  let stored: { result: unknown; answer: Answer } | undefined

  const ctx = new RequestContext(exchange, services, async (tx, result) => {
    const answer = toAnswer(result, exchange, services)
    await keep(tx, answer, exchange, services)
    stored = { result, answer }
  })

  try {
    const result = await route.handle(ctx, input)
    if (stored !== undefined && stored.result !== result) {
      throw new Error(`${route.operation.id} answers something else than its transaction did`)
    }
    const answer = stored?.answer ?? toAnswer(result, exchange, services)
    const isKept = stored !== undefined || exchange.identity === undefined
    exchange.answer = isKept ? answer : await keepAlone(answer, exchange, services)
  } catch (error) {
    exchange.answer = await outcomeOf(error, exchange, services)
  }
}

/** An error is an outcome too: a repeated request must not succeed where the first one was refused. */
async function outcomeOf(error: unknown, exchange: Exchange, services: Services): Promise<Answer> {
  if (exchange.identity === undefined) throw error
  if (error instanceof AnsweredElsewhere) return replayStored(exchange, services)
  if (error instanceof DatabaseUnavailable && error.locked) throw inProgress()
  if (!(error instanceof ApiError) || !mayBeKept(error)) throw error
  const { requestId } = exchange
  const answer = { status: error.status, body: JSON.stringify(error.toBody(requestId)), requestId }
  return keepAlone(answer, exchange, services)
}

/** Refusals of the credential, of the rate, of the schema, and failures of ours may turn out otherwise next time. */
const mayBeKept = ({ status, code }: ApiError): boolean =>
  status < 500 && ![401, 403, 429].includes(status) && code !== 'invalid_payload'

/** Stores an answer for which the handler wrote nothing. */
async function keepAlone(answer: Answer, exchange: Exchange, services: Services): Promise<Answer> {
  try {
    await services.database.write((tx) => keep(tx, answer, exchange, services))
    return answer
  } catch (error) {
    if (error instanceof AnsweredElsewhere) return replayStored(exchange, services)
    throw error
  }
}

async function keep(tx: Tx, answer: Answer, { identity, nowMs }: Exchange, { keyring }: Services): Promise<void> {
  if (identity === undefined) return
  const stored = { ...answer, body: String(answer.body) }
  if (!(await insertAnswer(tx, identity.orgId, identity, stored, keyring, nowMs))) throw new AnsweredElsewhere()
}

async function replayStored(exchange: Exchange, services: Services): Promise<Answer> {
  const { identity, nowMs } = exchange
  if (identity === undefined) throw new Error('only a request with an Idempotency-Key is replayed')
  const stored = await selectAnswer(services.database.read, identity.orgId, identity, services.keyring, nowMs)
  if (stored === undefined) throw inProgress()
  return replay(stored, exchange, services)
}
