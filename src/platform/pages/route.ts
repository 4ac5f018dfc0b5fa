import type { IncomingMessage, ServerResponse } from 'node:http'
import { signalOf } from '../http/server/client-left.ts'
import type { Server } from '../http/server/server.ts'
import type { Paced } from '../rate-limit/index.ts'
import { respondBusy } from './busy.ts'
import type { PageResponse } from './page-response.ts'

/** A request to a route. */
export interface RoutedRequest {
  request: IncomingMessage
  requestId: string
  /** The parts of the path that the route names. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** Aborted when the client leaves before it has the whole response. */
  signal: AbortSignal
  /** What to write to after `takeOver`. */
  response: ServerResponse
  /** Makes the handler send the response itself, which may be a stream. */
  takeOver(): void
}

/** `not_found` is as if there were no such route. Undefined once the handler has taken over. */
export type RouteResult = PageResponse | 'not_found' | undefined

type Method = 'GET' | 'POST' | 'OPTIONS'

export interface PageRoute {
  method: Method | Method[]
  /** A path as the router writes it: `/c/:slug`, `/account/*`. */
  url: string
  /** The name in logs and metrics. */
  operation: string
  /** False if there is nothing to send to HEAD, which otherwise gets the headers of GET. */
  hasHead?: boolean
  /** What a request counts as, per address: a page, or a form if something is sent, unless this says otherwise. */
  paced?: Paced
  /** How the response says that there are too many requests. A page by default. */
  busy?(request: IncomingMessage, seconds: number): PageResponse
  respond(routed: RoutedRequest): RouteResult | Promise<RouteResult>
}

/** Adds a route whose responses are pages, or what belongs to them. The API has its own: `mount`. */
export function route(server: Server, declared: PageRoute): void {
  const { method, url, operation, hasHead = true } = declared

  server.route({
    method,
    url,
    config: { operation },
    exposeHeadRoute: hasHead,
    handler: async (request, reply) => {
      const found = await admitted(server, declared, {
        request: request.raw,
        requestId: request.id,
        params: request.params as Record<string, string>,
        query: new URLSearchParams(request.url.split('?')[1]),
        signal: signalOf(reply.raw),
        response: reply.raw,
        takeOver: () => void reply.hijack(),
      })
      if (found === 'not_found') return reply.callNotFound()
      const { raw, id: requestId } = request
      const status = found?.status ?? reply.statusCode
      const ms = performance.now() - raw.arrivedMs
      server.record({ operation: found?.operation ?? operation, requestId, status, ms, ...raw.loggedAs })
      if (found === undefined) return reply
      return reply
        .code(status)
        .headers({ ...found.headers, 'x-request-id': requestId })
        .send(found.body)
    },
  })
}

/** Before anything of the request is read, looked up or rendered, it is counted for its address, and waits for its turn. */
async function admitted(
  server: Server,
  { paced, busy = respondBusy, respond }: PageRoute,
  routed: RoutedRequest,
): Promise<RouteResult> {
  const { request, response } = routed
  if (request.method === 'OPTIONS') return respond(routed)
  const seconds = await server.gate?.admit(paced ?? (request.method === 'POST' ? 'form' : 'page'), request, response)
  return seconds ? busy(request, seconds) : respond(routed)
}
