import type { IncomingMessage, ServerResponse } from 'node:http'

/** Handles some addresses outside the framework, which takes longer than the handler itself. */
export interface RequestHandler {
  /** Returns whether it handles the request. */
  tryHandle(request: IncomingMessage, response: ServerResponse): boolean
  /** The methods that it handles at a path; none if the path is not one of its own. */
  methodsOf(path: string): readonly string[]
}

export const READ_METHODS: readonly string[] = ['GET', 'HEAD']

/** Decides what the host of a request shows, before everything else. */
export interface HostHandler {
  /**
   * Returns false if the request goes on as it is. Otherwise, this handler responds, or calls `proceed` once it knows what
   * to do. It may have changed the address of the request.
   */
  tryHandle(
    request: IncomingMessage,
    response: ServerResponse,
    proceed: (request: IncomingMessage, response: ServerResponse) => void,
  ): boolean
}

declare module 'node:http' {
  interface IncomingMessage {
    /** The path at which a custom domain shows what `url` names. Empty for the root. Undefined if they are the same. */
    shownAt?: string
  }
}

/** Handles scans. It sees every request of a known host first, and the requests outside the API that matched no route last. */
export interface PublicHandler extends RequestHandler {
  /** Responds to a request outside the API that matched no route. */
  notFound(request: IncomingMessage, response: ServerResponse): void
  /** Responds to a request outside the API with a method that its address does not have. */
  methodNotAllowed(request: IncomingMessage, response: ServerResponse, allowed: string): void
}
