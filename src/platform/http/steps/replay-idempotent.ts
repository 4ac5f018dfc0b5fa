import { ApiError } from '../../errors/index.ts'
import type { Exchange, HttpResponse, Services, Step } from '../exchange.ts'
import { hashBody, type RequestIdentity, type StoredResponse, selectStoredResponse } from '../idempotency.ts'

const WAIT_MS = 5000

/** Replays the stored response to an earlier request. If that request is still running, waits for it first. */
export const replayIdempotent: Step = (exchange, services) => {
  if (exchange.idempotencyKey !== undefined) return findStoredResponse(exchange.idempotencyKey, exchange, services)
}

async function findStoredResponse(key: string, exchange: Exchange, services: Services): Promise<void> {
  const { caller, sent } = exchange
  const identity: RequestIdentity = {
    orgId: caller.orgId,
    credentialId: caller.id,
    method: sent.method,
    path: sent.path,
    key,
    bodyHash: hashBody(exchange.json),
  }
  const finished = await services.runningKeys.take(`${caller.id} ${sent.method} ${sent.path} ${key}`, WAIT_MS)
  if (finished === undefined) throw inProgress()
  exchange.finished = finished
  exchange.identity = identity
  const stored = await selectStoredResponse(
    services.database.read,
    caller.orgId,
    identity,
    services.keyring,
    exchange.nowMs,
  )
  if (stored !== undefined) exchange.response = replay(stored, exchange, services)
}

/** Returns the stored response, byte for byte. Throws if the same key came with another body. */
export function replay(stored: StoredResponse, exchange: Exchange, services: Services): HttpResponse {
  if (stored.bodyHash !== exchange.identity?.bodyHash) {
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
    )
  }
  services.metrics.idempotentReplays.inc()
  exchange.headers['idempotent-replayed'] = 'true'
  const { status, body, requestId } = stored
  return { status, body, requestId, ...(status >= 400 && { errorCode: JSON.parse(body).error }) }
}

export const inProgress = (): ApiError =>
  new ApiError('conflict', 'The first request with this Idempotency-Key is still running. Retry after 1 s.', {
    details: { reason: 'idempotency_in_progress' },
    retryAfterSeconds: 1,
  })
