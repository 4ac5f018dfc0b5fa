import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request that is answered outside the framework, and still needs its response. */
export interface RawRequest {
  request: IncomingMessage
  response: ServerResponse
}
