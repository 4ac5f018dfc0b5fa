import { QueueFull } from '../../bounded/index.ts'
import { ClientLeft } from '../server/client-left.ts'
import type { Exchange, HttpResponse, Services, Step } from './exchange.ts'
import { toErrorResponse } from './response.ts'
import { authenticate } from './steps/authenticate.ts'
import { checkIdempotencyKey } from './steps/check-idempotency-key.ts'
import { decodePosition } from './steps/decode-position.ts'
import { handle } from './steps/handle.ts'
import { limitBody } from './steps/limit-body.ts'
import { limitRate } from './steps/limit-rate.ts'
import { parseBody } from './steps/parse-body.ts'
import { parseIds } from './steps/parse-ids.ts'
import { parseJson } from './steps/parse-json.ts'
import { parseQuery } from './steps/parse-query.ts'
import { readBody } from './steps/read-body.ts'
import { replayIdempotent } from './steps/replay-idempotent.ts'
import { requireRecentSignInIfDeclared } from './steps/require-recent-sign-in.ts'
import { requireScope } from './steps/require-scope.ts'
import { waitForTurn } from './steps/wait-for-turn.ts'
import { toApiError } from './to-api-error.ts'

/** The steps of every request, in this order. The server assigns the request ID before them. */
const STEPS: readonly Step[] = [
  limitBody,
  authenticate,
  limitRate,
  requireScope,
  requireRecentSignInIfDeclared,
  parseIds,
  parseQuery,
  decodePosition,
  checkIdempotencyKey,
  readBody,
  waitForTurn,
  parseJson,
  parseBody,
  replayIdempotent,
  handle,
]

export async function run(exchange: Exchange, services: Services): Promise<HttpResponse> {
  try {
    for (const step of STEPS) {
      const pending = step(exchange, services)
      if (pending !== undefined) await pending
      if (exchange.response !== undefined) return exchange.response
    }
    throw new Error('no step set a response')
  } catch (error) {
    return respondToError(error, exchange, services)
  } finally {
    exchange.finished?.()
    exchange.rawBody?.release()
    if (exchange.upload !== undefined) await exchange.upload.release()
  }
}

function respondToError(error: unknown, { requestId, headers, route }: Exchange, { log }: Services): HttpResponse {
  const known = toApiError(error)
  if (known.status >= 500 && !isExpected(error))
    log.error({ request_id: requestId, operation: route.operation.id, err: error }, known.code)
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds)
  return toErrorResponse(known, requestId)
}

/** The request log has these with their code, and metrics count them. They need no stack trace. */
const isExpected = (error: unknown): boolean => error instanceof QueueFull || error instanceof ClientLeft
