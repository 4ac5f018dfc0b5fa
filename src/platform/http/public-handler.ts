import type { IncomingMessage, ServerResponse } from 'node:http'

/** Handles some addresses outside the framework, which takes longer than the handler itself. */
export interface RequestHandler {
  /** Returns whether it handles the request. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean
}

/** Handles scans. It sees every request first, and the requests outside the API that matched no route last. */
export interface PublicHandler extends RequestHandler {
  /** Responds to a request outside the API that matched no route. */
  notFound(request: IncomingMessage, response: ServerResponse): void
}
