import { ApiError } from '../../../errors/index.ts'
import type { Upload } from '../../bodies/upload-reader.ts'
import type { Exchange, HttpResponse, Services, Step } from '../exchange.ts'
import { hashBody, type RequestIdentity, selectStoredResponse } from '../idempotency.ts'

const WAIT_MS = 5000

/**
 * Replays the stored response to an earlier request. If that request is still running, waits for it first. If another
 * process handled it, or this one long ago, the request runs, and `handle` finds the stored response instead of storing one.
 */
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
    bodyHash: hashBody(exchange.upload === undefined ? exchange.json : identifyUpload(exchange.upload, exchange)),
  }
  const taken = await services.runningKeys.take(`${caller.id} ${sent.method} ${sent.path} ${key}`, WAIT_MS)
  if (taken === undefined) throw inProgress()
  exchange.finished = taken.finished
  exchange.identity = identity
  if (taken.isRepeated) exchange.response = await replay(identity, exchange, services)
}

/** The query is part of what an upload asks for, such as the name of the file. */
const identifyUpload = ({ file }: Upload, { query }: Exchange): object => ({ sha256: file.sha256, query })

/** Returns the stored response, byte for byte, if there is one. Throws if the same key came with another body. */
export async function replay(
  identity: RequestIdentity,
  exchange: Exchange,
  { database, keyring, metrics }: Services,
): Promise<HttpResponse | undefined> {
  const stored = await selectStoredResponse(database.read, identity.orgId, identity, keyring, exchange.nowMs)
  if (stored === undefined) return undefined
  if (stored.bodyHash !== identity.bodyHash) {
    throw new ApiError(
      'idempotency_conflict',
      'This Idempotency-Key was used with a different body in the last 24 hours. Use a new key for a new request.',
    )
  }
  metrics.idempotentReplays.inc()
  exchange.headers['idempotent-replayed'] = 'true'
  const { status, body, requestId } = stored
  return { status, body, requestId, ...(status >= 400 && { errorCode: JSON.parse(body).error }) }
}

export const inProgress = (): ApiError =>
  new ApiError('conflict', 'The first request with this Idempotency-Key is still running. Retry after 1 s.', {
    details: { reason: 'idempotency_in_progress' },
    retryAfterSeconds: 1,
  })
