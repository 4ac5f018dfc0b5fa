import { matchesEtag } from '../http/caching/etag.ts'
import type { RawRequest } from '../http/server/raw-request.ts'
import type { Server } from '../http/server/server.ts'
import { newRequestId } from '../ids/index.ts'
import type { StoredPage } from './stored-page.ts'

interface RawResponse {
  status: number
  /** Names and values in turn. The ID of the request is added to them. */
  headers: string[]
  /** Left out for a response without one. */
  body?: Buffer | undefined
}

const ONE_WRITE_BYTES_MAX = 16 * 1024

/** Sends a stored page, or 304 to a visitor who has it already. `more` are headers of this response alone. */
export function sendPage(
  server: Pick<Server, 'record'>,
  raw: RawRequest,
  operation: string,
  page: StoredPage,
  more: readonly string[],
  requestId?: string,
): void {
  const { status, etag, body } = page
  const isKnown = etag !== undefined && matchesEtag(raw.request.headers['if-none-match'], etag)
  const headers = [...(isKnown ? page.unchangedHeaders : page.headers), ...more]
  if (etag !== undefined) headers.push('etag', etag)
  sendRaw(server, raw, operation, isKnown ? { status: 304, headers } : { status, headers, body }, requestId)
}

/** Sends, logs and measures a response outside the framework. The log also gets `loggedAs` of the request. */
export function sendRaw(
  server: Pick<Server, 'record'>,
  { request, response }: RawRequest,
  operation: string,
  { status, headers, body }: RawResponse,
  requestId = newRequestId(),
): void {
  const ms = performance.now() - request.arrivedMs
  server.record({ operation, requestId, status, ms, ...request.loggedAs })
  headers.push('x-request-id', requestId)
  response.writeHead(status, headers)
  if (body === undefined || request.method === 'HEAD') response.end()
  // As a string, a short body is sent together with the headers, in one system call.
  else if (body.length <= ONE_WRITE_BYTES_MAX) response.end(body.toString('latin1'), 'latin1')
  else response.end(body)
}
