import type { IncomingMessage, ServerResponse } from 'node:http'

/** Whoever meets requests before and after the framework does: what it is too slow for, and what it does not know. */
export interface Front {
  /** Answers whether it takes the request. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  /** Answers what nobody else did, outside the API. */
  otherwise(request: IncomingMessage, response: ServerResponse): void
}
