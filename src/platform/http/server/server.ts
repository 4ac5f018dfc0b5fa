import type { Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { SECOND_MS } from '../../clock/index.ts'
import { ApiError } from '../../errors/index.ts'
import { newRequestId } from '../../ids/index.ts'
import { type RequestEntry, requestLogger } from '../../telemetry/logging.ts'
import { compressResponse, mayBeCompressed } from '../caching/compress-response.ts'
import { Compression } from '../caching/compression.ts'
import { Downloads, SLICE_BYTES } from '../caching/downloads.ts'
import { http } from '../node-http.ts'
import { Exchange, type HttpResponse, type Services } from '../pipeline/exchange.ts'
import { run } from '../pipeline/pipeline.ts'
import { JSON_TYPE, toErrorResponse } from '../pipeline/response.ts'
import type { Route } from '../pipeline/routes.ts'
import { toApiError } from '../pipeline/to-api-error.ts'
import { proxyMatcher } from './client-address.ts'
import { signalOf } from './client-left.ts'
import { type ConnectionLimits, Connections } from './connections.ts'
import { isOfApi, preflightHeaders } from './cross-origin.ts'
import type { Gate } from './gate.ts'
import { hasValidHost } from './host.ts'
import { unknownPath, withJsonErrors, wrongMethod } from './json-errors.ts'
import { KnownPaths } from './known-paths.ts'
import { invalidHost, refuse, respondToMalformed, tooManyRequests } from './refuse.ts'
import { type Handle, inOrder, type PublicSide, type RequestHandler } from './request-handler.ts'
import { type SecuredUrls, securedResponse } from './security-headers.ts'
import type { TrackedResponse } from './tracked-response.ts'

/** Larger than any request line that Node accepts, so that only our own rules decide about parameters. */
const PARAMETER_LENGTH_MAX = 64 * 1024
const HTTP_OPTIONS = {
  headersTimeout: 15 * SECOND_MS,
  /**
   * Applies to headers and body. All that we read has a shorter limit, and what we do not read is cut off after the
   * response.
   */
  requestTimeout: 150 * SECOND_MS,
  connectionsCheckingInterval: 5 * SECOND_MS,
  /** We check it, so that the response has our shape. */
  requireHostHeader: false,
  /** Saves time: a request without a body gets no stream. */
  optimizeEmptyRequests: true,
}
const CONNECTION_LIMITS: ConnectionLimits = {
  connectionsMax: 2000,
  connectionsPerAddress: 256,
  responseBytesMax: 128 * 1024 * 1024,
  writeTimeoutMs: 30 * SECOND_MS,
  drainMs: 5 * SECOND_MS,
}
/** Always admitted: a process that is only busy must not be restarted. */
const HEALTH_CHECKS: readonly (string | undefined)[] = ['/healthz', '/readyz']

export type Server = FastifyInstance

declare module 'fastify' {
  interface FastifyInstance {
    /** Logs and measures a response. Called by the code that sends it: a hook would cost more than both. */
    record(entry: RequestEntry): void
    /** Adds all that sees requests before the routes. Called once at most. */
    mountPublic(side: PublicSide): void
    publicSide: PublicSide | undefined
    connections: Connections
    downloads: Downloads
    compression: Compression
    paths: KnownPaths
    /** Undefined on a server that strangers do not use. */
    gate: Gate | undefined
  }
  interface FastifyContextConfig {
    /** Names the route in logs and metrics. */
    operation?: string
  }
}

declare module 'node:http' {
  interface IncomingMessage {
    /** A value of `performance.now()`. */
    arrivedMs: number
  }
}

export interface ServerOptions {
  trustProxy: boolean | string
  limits?: Partial<ConnectionLimits>
  /** Left out for a server that no browser uses. */
  urls?: SecuredUrls
  gate?: Gate
  /** Called before each request. */
  onRequest?: () => void
}

/** Creates an HTTP server whose responses all have a request ID, and whose errors all have the same shape. */
export function createServer(
  { trustProxy, limits, urls = { appUrl: '', publicUrl: '' }, gate, onRequest = () => {} }: ServerOptions,
  services: Pick<Services, 'log' | 'metrics'>,
): Server {
  const countRefused = (limit: string) => services.metrics.refused.inc({ limit })
  const connections = new Connections({ ...CONNECTION_LIMITS, ...limits }, proxyMatcher(trustProxy), countRefused)
  const paths = new KnownPaths()
  const limit: RequestHandler = {
    tryHandle: (request, response) => {
      if (connections.admitsOther(response as TrackedResponse) || HEALTH_CHECKS.includes(request.url)) return false
      refuse(request, response, tooManyRequests(), server.record)
      return true
    },
    methodsOf: () => [],
  }
  let routes: Handle
  let enter: Handle
  const server: Server = fastify({
    serverFactory: (handler) => {
      const ServerResponse = withJsonErrors(securedResponse(urls), paths)
      routes = handler
      enter = inOrder([limit], routes)
      return http
        .createServer({ ...HTTP_OPTIONS, ServerResponse }, (request, response) => {
          onRequest()
          request.arrivedMs = performance.now()
          if (!connections.onRequest(response)) return
          if (!hasValidHost(request)) {
            countRefused('host')
            refuse(request, response, invalidHost(), server.record)
            return
          }
          enter(request, response)
        })
        .on('connection', (socket) => connections.onConnection(socket))
        .on('timeout', (socket) => connections.onTimeout(socket))
    },
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // We declare no schemas to Fastify. Its compilers would be loaded all the same.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    rewriteUrl: ({ url = '/' }) => decodable(url),
    frameworkErrors: (_error, request, reply) => notFound(request, reply),
    clientErrorHandler: (error, socket) => respondToMalformed(error as NodeJS.ErrnoException, socket as Socket),
  })
  server.removeAllContentTypeParsers()
  // Leaves the body alone. The pipeline reads it in its turn, and Node drops the body of all other requests.
  server.addContentTypeParser('*', (_request, _body, done) => done(null))
  server.setNotFoundHandler((request, reply) => {
    const allowed = methodsOf(server, request)
    const { publicSide } = server
    if (request.method === 'OPTIONS' && allowed !== undefined && isOfApi(pathOf(request))) {
      return sendPreflight(request, reply, allowed)
    }
    if (publicSide === undefined || isOfApi(pathOf(request))) {
      return allowed === undefined ? notFound(request, reply) : methodNotAllowed(request, reply, allowed)
    }
    reply.hijack()
    if (allowed === undefined) publicSide.unhandled.notFound(request.raw, reply.raw)
    else publicSide.unhandled.methodNotAllowed(request.raw, reply.raw, allowed)
  })
  server.addHook('onRoute', ({ url, method }) => paths.add(url, method))
  server.setErrorHandler((error, request, reply) => {
    const known = fromFramework(error as Error & { code?: string; statusCode?: number })
    if (known.status >= 500) services.log.error({ request_id: request.id, err: error }, known.code)
    return sendError(request, reply, known)
  })
  server.decorate('publicSide', undefined)
  server.decorate('mountPublic', (side) => {
    server.publicSide = side
    enter = inOrder([...side.unlimited, limit, ...side.limited], routes)
  })
  server.decorate('connections', connections)
  server.decorate('downloads', new Downloads(countRefused))
  server.decorate('compression', new Compression())
  server.decorate('paths', paths)
  server.decorate('gate', gate)
  server.addHook('preClose', async () => connections.stop())
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

async function respond(request: FastifyRequest, reply: FastifyReply, route: Route, services: Services): Promise<void> {
  const sent = {
    method: route.operation.declared.method,
    path: pathOf(request),
    params: request.params as Record<string, string>,
    query: request.query as Record<string, unknown>,
    headers: request.headers,
    request: request.raw,
    address: () => request.ip,
    hasClientLeft: () => reply.raw.destroyed,
    signal: () => signalOf(reply.raw),
  }
  const exchange = new Exchange(route, sent, request.id, services.clock())
  const response = await run(exchange, services)
  const sendable = mayBeCompressed(route, response)
    ? await compressResponse(response, exchange, request.server.compression)
    : response
  send(request, reply, sendable, route.operation.id, exchange)
}

function noSchema(): never {
  throw new Error('routes have no Fastify schema: the pipeline validates')
}

/** Writes the response past the framework, whose own way of sending takes a tenth of the time of a short read. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body, stream, requestId, mediaType = JSON_TYPE, errorCode }: HttpResponse,
  operation: string,
  exchange?: Exchange,
): void {
  request.server.record({
    operation,
    requestId: request.id,
    status,
    ms: performance.now() - request.raw.arrivedMs,
    error: errorCode,
    orgId: exchange?.credential?.orgId,
    credentialId: exchange?.credential?.id,
  })
  const head = ['x-request-id', requestId]
  for (const name in exchange?.headers) head.push(name, exchange.headers[name] as string)
  if (stream !== undefined) head.push('content-type', mediaType)
  if (stream?.sizeBytes !== undefined) head.push('content-length', String(stream.sizeBytes))
  if (body !== '') head.push('content-type', mediaType, 'content-length', String(Buffer.byteLength(body)))
  reply.raw.writeHead(status, head)
  reply.hijack()
  if (stream === undefined) reply.raw.end(body)
  else sendStream(request, reply, stream.chunks)
}

/** The client sees a connection that ends early if the file cannot be completed. */
function sendStream({ ip, raw, server }: FastifyRequest, reply: FastifyReply, chunks: AsyncIterable<unknown>): void {
  const file = Readable.from(raw.method === 'HEAD' ? [] : chunks, { objectMode: false, highWaterMark: SLICE_BYTES })
  pipeline(server.downloads.pace(ip, file), reply.raw, () => {})
}

/** Responds outside the pipeline. */
function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): void {
  const operation = request.routeOptions.config.operation ?? 'none'
  send(request, reply, toErrorResponse(error, request.id), operation)
}

const notFound = (request: FastifyRequest, reply: FastifyReply): void =>
  sendError(request, reply, unknownPath(request.method, pathOf(request), request.server.paths))

/** Browsers ask this way before a page of another site calls the API. */
function sendPreflight(request: FastifyRequest, reply: FastifyReply, allowed: string): void {
  for (const [name, value] of Object.entries(preflightHeaders(allowed))) reply.raw.setHeader(name, value)
  send(request, reply, { status: 204, body: '', requestId: request.id }, 'preflight')
}

function methodNotAllowed(request: FastifyRequest, reply: FastifyReply, allowed: string): void {
  reply.raw.setHeader('allow', allowed)
  sendError(request, reply, wrongMethod(request.method, pathOf(request), allowed))
}

/** The methods of a path that exists, but not with the one of the request. */
function methodsOf(server: Server, request: FastifyRequest): string | undefined {
  const { unlimited = [], limited = [] } = server.publicSide ?? {}
  const found = [
    ...server.paths.methodsOf(pathOf(request)),
    ...[...unlimited, ...limited].flatMap((one) => one.methodsOf(pathOf(request))),
  ]
  // On a custom domain, a path of our own hosts does not exist with any method.
  return found.length === 0 || found.includes(request.method) ? undefined : [...new Set(found)].sort().join(', ')
}

const pathOf = ({ url }: FastifyRequest): string => {
  const query = url.indexOf('?')
  return query === -1 ? url : url.slice(0, query)
}

/** Translates an error that Fastify itself raised. */
function fromFramework(error: Error & { code?: string; statusCode?: number }): ApiError {
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
