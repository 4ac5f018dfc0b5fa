import { QueueFull } from '../../bounded/index.ts'
import { DatabaseUnavailable } from '../../db/failures.ts'
import { ApiError } from '../../errors/index.ts'
import { isOutOfSpace } from '../../errors/out-of-space.ts'
import { StoreUnavailable } from '../../files/asset-store.ts'
import { ClientLeft } from '../server/client-left.ts'

const RETRY_AFTER_SECONDS = 1

const unavailable = (message: string): ApiError =>
  new ApiError('service_unavailable', message, { retryAfterSeconds: RETRY_AFTER_SECONDS })

/** Maps anything thrown to an error response. Nothing of an unexpected error leaves the process. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isOutOfSpace(error)) {
    return unavailable('The service has no disk space left, and cannot store anything. Retry later.')
  }
  if (error instanceof DatabaseUnavailable) {
    return unavailable('The database does not respond. Retry with exponential backoff.')
  }
  if (error instanceof StoreUnavailable) {
    return unavailable('The store of files does not respond. Retry with exponential backoff.')
  }
  if (error instanceof QueueFull) {
    return unavailable('Too many requests of your organisation are waiting. Retry with exponential backoff.')
  }
  if (error instanceof ClientLeft) return unavailable('The client closed the connection.')
  return new ApiError('internal_error', 'Something went wrong on our side. It is safe to retry.')
}
