import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SECOND_MS } from '../../clock/index.ts'
import { ApiError } from '../../errors/index.ts'
import { newRequestId } from '../../ids/index.ts'
import type { RequestEntry } from '../../telemetry/logging.ts'
import { http } from '../node-http.ts'
import { JSON_TYPE, toErrorResponse } from '../pipeline/response.ts'

/** How long a client may take to close the connection. */
const CLOSE_MS = 5 * SECOND_MS

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
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': String(error.retryAfterSeconds) }),
    connection: 'close',
  })
  response.end(body)
}

/** Responds to bytes that are not valid HTTP. There is no request object, so the response is written by hand. */
export function respondToMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  // Nothing was sent: a browser opens connections ahead of need.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  const [status, reason]: [number, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are too large. Send fewer or shorter ones.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in time.']
        : [400, 'This is not a valid HTTP request.']
  const requestId = newRequestId()
  const body = JSON.stringify(new ApiError('invalid_payload', reason).toBody(requestId))
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nContent-Type: ${JSON_TYPE}\r\nX-Request-Id: ${requestId}\r\n` +
      'X-Content-Type-Options: nosniff\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  // The client closes the connection when it has the response. If it does not, we do.
  socket.setTimeout(CLOSE_MS)
}
