import { createServer as createHttpServer, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors/index.ts'
import { newRequestId } from '../ids/index.ts'
import { type RequestEntry, requestLogger } from '../telemetry/logging.ts'
import type { Credential } from './context.ts'
import { type Answer, Exchange, type Services } from './exchange.ts'
import { run, toApiError } from './pipeline.ts'
import type { PublicHandler } from './public-handler.ts'
import type { Route } from './routes.ts'

const BODY_BYTES_MAX = 1024 * 1024
/** More than Node lets a request's head have, so that every parameter is judged by its own rule. */
const PARAMETER_LENGTH_MAX = 64 * 1024
const JSON_TYPE = 'application/json; charset=utf-8'

export type Server = FastifyInstance

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs and measures a response. Called by the code that sends it: a hook would cost more than both. */
    record(entry: RequestEntry): void
    isClosing: boolean
    publicHandler: PublicHandler | undefined
  }
  interface FastifyContextConfig {
    /** Names the route in logs and metrics. */
    operation?: string
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** By the clock of `performance.now`. */
    arrivedMs: number
  }
}

export interface ServerOptions {
  trustProxy: boolean | string
}

/** An HTTP server in which every answer, whatever went wrong, has a request id and the error envelope. */
export function createServer({ trustProxy }: ServerOptions, services: Pick<Services, 'log' | 'metrics'>): Server {
  const server: Server = fastify({
    serverFactory: (handler) =>
      createHttpServer((request, response) => {
        request.arrivedMs = performance.now()
        if (server.publicHandler?.tryHandle(request, response) !== true) handler(request, response)
      }),
    genReqId: newRequestId,
    requestIdHeader: false,
    bodyLimit: BODY_BYTES_MAX,
    trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    rewriteUrl: ({ url = '/' }) => decodable(url),
    frameworkErrors: (_error, request, reply) => void notFound(request, reply),
    clientErrorHandler: (error, socket) => answerMalformed(error as NodeJS.ErrnoException, socket as Socket),
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  server.setNotFoundHandler((request, reply) => {
    if (server.publicHandler === undefined || isOfApi(pathOf(request))) return notFound(request, reply)
    reply.hijack()
    server.publicHandler.notFound(request.raw, reply.raw)
  })
  server.setErrorHandler((error, request, reply) => {
    const known = fromFramework(error as Error & { code?: string; statusCode?: number })
    if (known.status >= 500) services.log.error({ request_id: request.id, err: error }, known.code)
    return sendError(request, reply, known)
  })
  server.decorate('isClosing', false)
  server.decorate('publicHandler', undefined)
  server.addHook('preClose', async () => {
    server.isClosing = true
  })
  const logRequest = requestLogger(services.log)
  server.decorate('record', (entry) => {
    services.metrics.observeRequest(entry.operation, entry.status, entry.ms / 1000)
    logRequest(entry)
  })
  return server
}

/** Serves the routes under a prefix, each through the whole pipeline. */
export function mount(server: Server, prefix: string, routes: readonly Route[], services: Services): void {
  for (const route of routes) {
    const { method, path } = route.operation.declared
    const hasParameters = path.includes('{')
    server.route({
      method,
      url: prefix + path.replace(/\{(\w+)\}/g, ':$1'),
      config: { operation: route.operation.id },
      handler: (request, reply) => {
        // The router matches `/things/` to `/things/{id}`; an empty id is no id.
        if (hasParameters && Object.values(request.params as object).includes('')) return notFound(request, reply)
        return respond(request, reply, route, services)
      },
      // A content type that cannot even be read is told in its turn, after the credential was looked at.
      errorHandler: (error, request, reply) => {
        if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return respond(request, reply, route, services)
        throw error
      },
    })
  }
}

async function respond(request: FastifyRequest, reply: FastifyReply, route: Route, services: Services) {
  const sent = {
    method: route.operation.declared.method,
    path: pathOf(request),
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    headers: request.headers,
    body: request.body as Buffer | undefined,
    address: () => request.ip,
  }
  const exchange = new Exchange(route, sent, request.id, services.clock())
  const answer = await run(exchange, services)
  return send(request, reply.headers(exchange.headers), answer, route.operation.id, exchange.credential)
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  operation: string,
  credential?: Credential,
): FastifyReply {
  const { status, body, requestId, mediaType = JSON_TYPE } = answer
  request.server.record({
    operation,
    requestId: request.id,
    status,
    ms: performance.now() - request.raw.arrivedMs,
    error: status >= 400 ? (JSON.parse(String(body)) as { error: string }).error : undefined,
    orgId: credential?.orgId,
    credentialId: credential?.id,
  })
  // A connection that is kept alive would keep a stopping process waiting for its client.
  if (request.server.isClosing) reply.header('connection', 'close')
  reply.code(status).header('x-request-id', requestId)
  return body === '' ? reply.send() : reply.header('content-type', mediaType).send(body)
}

/** What is answered without the pipeline. */
function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const answer = { status: error.status, body: JSON.stringify(error.toBody(request.id)), requestId: request.id }
  return send(request, reply, answer, request.routeOptions.config.operation ?? 'none')
}

const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendError(request, reply, new ApiError('not_found', `There is nothing at ${request.method} ${pathOf(request)}.`))

/** There everything is JSON, also that there is nothing. */
const isOfApi = (path: string): boolean => path === '/v1' || path.startsWith('/v1/')

const pathOf = ({ url }: FastifyRequest): string => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** What Fastify itself refuses, in the words of our own errors. */
function fromFramework(error: Error & { code?: string; statusCode?: number }): ApiError {
  if (error.statusCode === 413) {
    return new ApiError('invalid_payload', 'The body is larger than 1 MiB.', {
      status: 413,
      details: { formErrors: ['The body is larger than 1 MiB'], fieldErrors: {} },
    })
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError('invalid_json', 'The body could not be read.')
  }
  return toApiError(error)
}

/** A path with a broken percent-encoding still names its route, so that it is refused as any other bad id. */
function decodable(url: string): string {
  if (!url.includes('%')) return url
  const [path = '', ...query] = url.split('?')
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

/** What is not even HTTP: there is no request yet, so the answer is written by hand. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, reason]: [number, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'The request did not arrive in time.']
        : [400, 'This is not a valid HTTP request.']
  const requestId = newRequestId()
  const body = JSON.stringify(new ApiError('invalid_payload', reason).toBody(requestId))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${JSON_TYPE}\r\nX-Request-Id: ${requestId}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
