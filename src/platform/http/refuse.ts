import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../errors/index.ts'
import { newRequestId } from '../ids/index.ts'
import type { RequestEntry } from '../telemetry/logging.ts'
import { toErrorResponse } from './response.ts'

export const invalidHost = (): ApiError =>
  new ApiError('invalid_payload', 'The header Host must be sent once, with the name of the host.')

export const tooManyRequests = (): ApiError =>
  new ApiError('service_unavailable', 'Too many requests are in progress. Retry with exponential backoff.', {
    retryAfterSeconds: 1,
  })

/** Responds to a request before anything else sees it, and closes the connection. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
  record: (entry: RequestEntry) => void,
): void {
  const { status, body, requestId, errorCode } = toErrorResponse(error, newRequestId())
  record({ operation: 'none', requestId, status, ms: performance.now() - request.arrivedMs, error: errorCode })
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
    connection: 'close',
  })
  response.end(body)
}
