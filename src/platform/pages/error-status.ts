import { toApiError } from '../http/pipeline/to-api-error.ts'
import { ClientLeft } from '../http/server/client-left.ts'

/**
 * The status of a response about an error. Pages and the API share one table, `toApiError`. Undefined for a bug, which has to
 * be logged.
 */
export function statusOf(error: unknown): number | undefined {
  // Nobody sees the response. In the log, it must not look like a failure of ours.
  if (error instanceof ClientLeft) return 408
  const { code, status } = toApiError(error)
  return code === 'internal_error' ? undefined : status
}

/** Whether the same request may succeed a little later. */
export const isTemporary = (error: unknown): boolean => statusOf(error) === 503
