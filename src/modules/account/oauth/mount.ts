import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Services } from '../../../platform/http/pipeline/exchange.ts'
import { toApiError } from '../../../platform/http/pipeline/to-api-error.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { LoadedOnce } from '../../../platform/jobs/loaded-once.ts'
import {
  type PageResponse,
  type RoutedRequest,
  type RouteResult,
  respondJson,
  route,
} from '../../../platform/pages/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import type { CleanUpAfterGrant } from '../connected-applications/index.ts'
import { registerClient } from './clients.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { CONSENT_PATH, ENDPOINTS } from './paths.ts'
import { createAuthorizationServer } from './provider.ts'
import { asReadRequest } from './read-request.ts'

/** Shows people that a request cannot be used. */
interface ErrorPages {
  refuseRequest(request: IncomingMessage, status: number): PageResponse
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
const PREFLIGHT: PageResponse = {
  status: 204,
  headers: {
    ...OPEN,
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '3600',
  },
  body: '',
}

/** Adds the authorisation server, and the documents that describe it, to the server. */
export function mountOAuth(server: Server, pages: LoadedOnce<ErrorPages>, services: OAuthServices): void {
  const { appUrl, acceptsAnyHost } = services
  const host = acceptsAnyHost ? undefined : new URL(appUrl).host
  const add = (
    method: 'GET' | 'POST' | 'OPTIONS',
    url: string,
    operation: string,
    respond: (routed: RoutedRequest) => RouteResult | Promise<RouteResult>,
  ) =>
    route(server, {
      method,
      url,
      operation,
      // A customer's domain must not look as if one could sign in there.
      respond: (routed) => (host !== undefined && routed.request.headers.host !== host ? 'not_found' : respond(routed)),
    })

  const describe = (url: string, document: object) => {
    const response = respondJson(200, document, { ...OPEN, 'cache-control': 'public, max-age=300' })
    add('GET', url, 'oauth.metadata', () => response)
  }
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
  const pass =
    (caps: Caps, counted: string) =>
    async ({ request, requestId, response, takeOver }: RoutedRequest): Promise<RouteResult> => {
      const refusal = await limit(request, caps, counted, services)
      if (refusal !== undefined) return refusal
      if ((request.url ?? '').length > URL_LENGTH_MAX) return (await pages.get()).refuseRequest(request, 400)
      const body = request.method === 'POST' ? await readBody(request, services) : Buffer.alloc(0)
      if (!Buffer.isBuffer(body)) return body
      const authorizationServer = await library.get()
      takeOver()
      response.setHeader('x-request-id', requestId)
      await authorizationServer.handle(asReadRequest(request, body, appUrl), response)
      return undefined
    }
  add('GET', ENDPOINTS.authorization, 'oauth.authorize', pass(AUTHORIZE_CAPS, 'authorize'))
  add('GET', `${ENDPOINTS.authorization}/:uid`, 'oauth.authorize', pass(AUTHORIZE_CAPS, 'authorize'))
  for (const name of ['token', 'revocation'] as const) {
    add('POST', ENDPOINTS[name], `oauth.${name}`, pass(TOKEN_CAPS, 'token'))
    add('OPTIONS', ENDPOINTS[name], `oauth.${name}`, () => PREFLIGHT)
  }

  add('POST', ENDPOINTS.registration, 'oauth.register', async ({ request }) => {
    const refusal = await limit(request, REGISTER_CAPS, 'register', services)
    if (refusal !== undefined) return refusal
    const body = await readBody(request, services)
    if (!Buffer.isBuffer(body)) return body
    const answer = await registerClient(services.database, parseJson(body), timestamp(services.clock()))
    if ('error' in answer) request.loggedAs = { error: answer.error }
    return respondJson('error' in answer ? 400 : 201, answer, OPEN)
  })
  add('OPTIONS', ENDPOINTS.registration, 'oauth.register', () => PREFLIGHT)
}

/** Returns a response if there are too many requests from this address. */
async function limit(
  request: IncomingMessage,
  caps: Caps,
  name: string,
  { limiter, addressOf, clock }: OAuthServices,
): Promise<PageResponse | undefined> {
  const key = `oauth ${name} ${addressBlock(addressOf(request))}`
  const { admitted, retryAfterSeconds } = await limiter.take(key, caps, clock())
  if (admitted) return undefined
  request.loggedAs = { error: 'too_many_requests' }
  const error = {
    error: 'too_many_requests',
    error_description: `Too many requests from your IP address. Retry after ${retryAfterSeconds} s.`,
  }
  return respondJson(429, error, { ...OPEN, 'retry-after': String(retryAfterSeconds) })
}

/** Returns a response if the body cannot be read. */
async function readBody(
  request: IncomingMessage,
  { bodies, addressOf }: OAuthServices,
): Promise<Buffer | PageResponse> {
  const refuse = (status: number, error_description: string): PageResponse => {
    request.loggedAs = { error: 'invalid_request' }
    return respondJson(status, { error: 'invalid_request', error_description }, OPEN)
  }
  if (!(Number(request.headers['content-length']) <= BODY_BYTES_MAX)) {
    return refuse(413, `The body must have a Content-Length of at most ${BODY_BYTES_MAX} bytes.`)
  }
  try {
    const body = await bodies.read(request, addressOf(request), () => NEVER_ABORTED)
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
