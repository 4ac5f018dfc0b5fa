import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Handles public addresses outside the framework. It sees every request first, because the framework is too slow for
 * scans, and the requests outside the API that matched no route last.
 */
export interface PublicHandler {
  /** Returns whether it handles the request. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean
  /** Responds to a request outside the API that matched no route. */
  notFound(request: IncomingMessage, response: ServerResponse): void
}
