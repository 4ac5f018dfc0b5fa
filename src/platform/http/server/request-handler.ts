import type { IncomingMessage, ServerResponse } from 'node:http'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** Handles some requests outside the framework, which takes longer than the handler itself. */
export interface RequestHandler {
  /**
   * Returns whether it handles the request. Otherwise, the next handler sees it. A handler that must find that out first
   * returns true, and calls `next` if the request goes on. It may have changed the address of the request.
   */
  tryHandle(request: IncomingMessage, response: ServerResponse, next: Handle): boolean
  /** The methods that it handles at a path; none if the path is not one of its own. */
  methodsOf(path: string): readonly string[]
}

/** All that sees requests before the routes of the framework do. */
export interface PublicSide {
  /** See every request in this order, even if too many others are in progress. */
  unlimited: readonly RequestHandler[]
  /** See the others in this order, unless too many requests are in progress. */
  limited: readonly RequestHandler[]
  unhandled: UnhandledRequests
}

/** Responds to requests outside the API that nobody handles. */
export interface UnhandledRequests {
  notFound(request: IncomingMessage, response: ServerResponse): void
  /** The address exists, but not with this method. */
  methodNotAllowed(request: IncomingMessage, response: ServerResponse, allowed: string): void
}

export const READ_METHODS: readonly string[] = ['GET', 'HEAD']

declare module 'node:http' {
  interface IncomingMessage {
    /** The path at which a custom domain shows what `url` names. Empty for the root. Undefined if they are the same. */
    shownAt?: string
  }
}

/** Composes handlers once, so that a request costs no more than their calls. */
export const inOrder = (handlers: readonly RequestHandler[], last: Handle): Handle =>
  handlers.reduceRight<Handle>(
    (next, handler) => (request, response) => {
      if (!handler.tryHandle(request, response, next)) next(request, response)
    },
    last,
  )
