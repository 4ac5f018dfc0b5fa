import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Services } from '../../../platform/http/pipeline/exchange.ts'
import { toApiError } from '../../../platform/http/pipeline/pipeline.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import { recordReply } from '../../../platform/http/server/record-reply.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { LoadedOnce } from '../../../platform/jobs/loaded-once.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { CleanUpAfterGrant } from '../connected-applications/index.ts'
import { registerClient } from './clients.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { CONSENT_PATH, ENDPOINTS } from './paths.ts'
import { createAuthorizationServer } from './provider.ts'
import { asReadRequest } from './read-request.ts'

type Handler = Parameters<Server['route']>[0]['handler']
type Request = Parameters<Handler>[0]
type Reply = Parameters<Handler>[1]

/** Shows people that a request cannot be used. */
interface ErrorPages {
  refuseRequest(
    request: IncomingMessage,
    status: number,
  ): { status: number; headers: Record<string, string | string[]>; body: string }
}

interface OAuthServices extends Pick<Services, 'database' | 'limiter' | 'bodies' | 'log' | 'clock'> {
  appUrl: string
  /** Whether the service does not know its own host name. */
  acceptsAnyHost: boolean
  addressOf: (request: IncomingMessage) => string
  cleanUpAfterGrant: CleanUpAfterGrant
}

/** Limits a client address. An application that serves many people refreshes their tokens from one address. */
const TOKEN_CAPS: Caps = { perMinute: 600, perHour: 20_000 }
/** Each request is stored until the person has decided. */
const AUTHORIZE_CAPS: Caps = { perMinute: 60, perHour: 600 }
const REGISTER_CAPS: Caps = { perMinute: 10, perHour: 20 }
/** Larger than any request of a client that we know. */
const BODY_BYTES_MAX = 16 * 1024
/** What an application asks for is stored until the person has decided. */
const URL_LENGTH_MAX = 8 * 1024

/** Pages of any site may use these endpoints. No cookie counts there, so a page can do nothing that a program cannot. */
const OPEN = { 'access-control-allow-origin': '*' }
const PREFLIGHT = {
  ...OPEN,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': '3600',
}

/** Adds the authorisation server, and the documents that describe it, to the server. */
export function mountOAuth(server: Server, pages: LoadedOnce<ErrorPages>, services: OAuthServices): void {
  const { appUrl, acceptsAnyHost } = services
  const host = acceptsAnyHost ? undefined : new URL(appUrl).host
  const route = (
    method: 'GET' | 'POST' | 'OPTIONS',
    url: string,
    operation: string,
    handle: (request: Request, reply: Reply) => unknown,
  ) =>
    server.route({
      method,
      url,
      config: { operation },
      handler: async (request, reply) => {
        // A customer's domain must not look as if one could sign in there.
        if (host !== undefined && request.headers.host !== host) return reply.callNotFound()
        const answer = await handle(request, reply.header('x-request-id', request.id))
        recordReply(request, reply.statusCode)
        return answer
      },
    })

  const describe = (url: string, document: object) =>
    route('GET', url, 'oauth.metadata', (_request, reply) =>
      reply.headers({ ...OPEN, 'cache-control': 'public, max-age=300' }).send(document),
    )
  describe('/.well-known/oauth-authorization-server', serverMetadata(appUrl))
  for (const path of ['', '/v1']) describe(`/.well-known/oauth-protected-resource${path}`, resourceMetadata(appUrl))

  const library = new LoadedOnce(async () => {
    const loaded = await pages.get()
    return createAuthorizationServer(
      {
        ...services,
        cleanUp: services.cleanUpAfterGrant,
        consentPath: (id) => `${CONSENT_PATH}/${id}`,
        errorPage: (request, status) => loaded.refuseRequest(request, status),
      },
      (request) => ({ address: services.addressOf(request), userAgent: request.headers['user-agent'] ?? null }),
    )
  })
  /** Lets the library respond. */
  const pass = (caps: Caps, counted: string) => async (request: Request, reply: Reply) => {
    if (await isRefused(request, reply, caps, counted, services)) return reply
    if (request.url.length > URL_LENGTH_MAX) {
      const { status, headers, body } = (await pages.get()).refuseRequest(request.raw, 400)
      return reply.code(status).headers(headers).send(body)
    }
    const body = request.method === 'POST' ? await readBody(request, reply, services) : Buffer.alloc(0)
    if (body === undefined) return reply
    const authorizationServer = await library.get()
    reply.hijack()
    reply.raw.setHeader('x-request-id', request.id)
    await authorizationServer.handle(asReadRequest(request.raw, body, appUrl), reply.raw)
  }
  route('GET', ENDPOINTS.authorization, 'oauth.authorize', pass(AUTHORIZE_CAPS, 'authorize'))
  route('GET', `${ENDPOINTS.authorization}/:uid`, 'oauth.authorize', pass(AUTHORIZE_CAPS, 'authorize'))
  for (const name of ['token', 'revocation'] as const) {
    route('POST', ENDPOINTS[name], `oauth.${name}`, pass(TOKEN_CAPS, 'token'))
    route('OPTIONS', ENDPOINTS[name], `oauth.${name}`, (_request, reply) => reply.code(204).headers(PREFLIGHT).send())
  }

  route('POST', ENDPOINTS.registration, 'oauth.register', async (request, reply) => {
    if (await isRefused(request, reply, REGISTER_CAPS, 'register', services)) return reply
    const body = await readBody(request, reply, services)
    if (body === undefined) return reply
    const answer = await registerClient(services.database, parseJson(body), timestamp(services.clock()))
    if ('error' in answer) request.raw.loggedAs = { error: answer.error }
    return sendJson(reply, 'error' in answer ? 400 : 201, answer)
  })
  route('OPTIONS', ENDPOINTS.registration, 'oauth.register', (_request, reply) =>
    reply.code(204).headers(PREFLIGHT).send(),
  )
}

const sendJson = (reply: Reply, status: number, body: object): Reply =>
  reply
    .code(status)
    .headers({ ...OPEN, 'cache-control': 'no-store' })
    .send(body)

/** Responds if there are too many requests from this address. */
async function isRefused(
  request: Request,
  reply: Reply,
  caps: Caps,
  name: string,
  { limiter, addressOf, clock }: OAuthServices,
): Promise<boolean> {
  const key = `oauth ${name} ${addressBlock(addressOf(request.raw))}`
  const { admitted, retryAfterSeconds } = await limiter.take(key, caps, clock())
  if (admitted) return false
  request.raw.loggedAs = { error: 'too_many_requests' }
  sendJson(reply.header('retry-after', String(retryAfterSeconds)), 429, {
    error: 'too_many_requests',
    error_description: `Too many requests from your IP address. Retry after ${retryAfterSeconds} s.`,
  })
  return true
}

/** Responds if the body cannot be read. */
async function readBody(
  request: Request,
  reply: Reply,
  { bodies, addressOf }: OAuthServices,
): Promise<Buffer | undefined> {
  const refuse = (status: number, error_description: string): undefined => {
    request.raw.loggedAs = { error: 'invalid_request' }
    sendJson(reply, status, { error: 'invalid_request', error_description })
    return undefined
  }
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) {
    return refuse(413, `The body must have a Content-Length of at most ${BODY_BYTES_MAX} bytes.`)
  }
  try {
    const body = await bodies.read(request.raw, addressOf(request.raw), () => NEVER_ABORTED)
    body.release()
    return body.content
  } catch (error) {
    const { status, message } = toApiError(error)
    return refuse(status, message)
  }
}

const NEVER_ABORTED = new AbortController().signal

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
