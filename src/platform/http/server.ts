import { createServer as createHttpServer, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ApiError } from '../errors/index.ts'
import { newRequestId } from '../ids/index.ts'
import { type RequestEntry, requestLogger } from '../telemetry/logging.ts'
import type { Credential } from './context.ts'
import { Exchange, type HttpResponse, type Services } from './exchange.ts'
import { run, toApiError } from './pipeline.ts'
import type { PublicHandler } from './public-handler.ts'
import { toErrorResponse } from './response.ts'
import type { Route } from './routes.ts'

const BODY_BYTES_MAX = 1024 * 1024
/** Larger than any request line that Node accepts, so that only our own rules decide about parameters. */
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
    /** As `performance.now()`. */
    arrivedMs: number
  }
}

export interface ServerOptions {
  trustProxy: boolean | string
}

/** Creates an HTTP server whose responses all have a request ID, and whose errors all have the same shape. */
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
    clientErrorHandler: (error, socket) => respondToMalformed(error as NodeJS.ErrnoException, socket as Socket),
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
        // The router matches `/things/` to `/things/{id}` with an empty id.
        if (hasParameters && Object.values(request.params as object).includes('')) return notFound(request, reply)
        return respond(request, reply, route, services)
      },
      // The pipeline reports an unreadable content type in its turn, after authentication.
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
  const response = await run(exchange, services)
  return send(request, reply.headers(exchange.headers), response, route.operation.id, exchange.credential)
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  response: HttpResponse,
  operation: string,
  credential?: Credential,
): FastifyReply {
  const { status, body, requestId, mediaType = JSON_TYPE, errorCode } = response
  request.server.record({
    operation,
    requestId: request.id,
    status,
    ms: performance.now() - request.raw.arrivedMs,
    error: errorCode,
    orgId: credential?.orgId,
    credentialId: credential?.id,
  })
  // A stopping process must not wait for a client that keeps its connection open.
  if (request.server.isClosing) reply.header('connection', 'close')
  reply.code(status).header('x-request-id', requestId)
  return body === '' ? reply.send() : reply.header('content-type', mediaType).send(body)
}

/** Responds outside the pipeline. */
function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  const operation = request.routeOptions.config.operation ?? 'none'
  return send(request, reply, toErrorResponse(error, request.id), operation)
}

const notFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendError(
    request,
    reply,
    new ApiError('not_found', `There is no ${request.method} ${pathOf(request)}. Check the method and the path.`),
  )

/** In the API, even an unknown path gets a JSON response. */
const isOfApi = (path: string): boolean => path === '/v1' || path.startsWith('/v1/')

const pathOf = ({ url }: FastifyRequest): string => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** Translates an error that Fastify itself raised. */
function fromFramework(error: Error & { code?: string; statusCode?: number }): ApiError {
  if (error.statusCode === 413) {
    return new ApiError('invalid_payload', 'The body is larger than 1 MiB.', {
      status: 413,
      details: { formErrors: ['The body is larger than 1 MiB'], fieldErrors: {} },
    })
  }
  if (error.statusCode !== undefined && error.statusCode < 500) {
    return new ApiError('invalid_json', 'The body could not be read. Send it again.')
  }
  return toApiError(error)
}

/** Escapes broken percent-encoding, so that the path still matches its route and fails as a malformed id. */
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

/** Responds to bytes that are not valid HTTP. There is no request object, so the response is written by hand. */
function respondToMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const [status, reason]: [number, string] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'The headers are too large. Send fewer or shorter ones.']
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
