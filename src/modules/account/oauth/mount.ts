import type { IncomingMessage } from 'node:http'
import { FairQueue } from '../../../platform/bounded/index.ts'
import { SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Services } from '../../../platform/http/pipeline/exchange.ts'
import { toApiError } from '../../../platform/http/pipeline/to-api-error.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { LoadedOnce } from '../../../platform/jobs/loaded-once.ts'
import {
  type PageResponse,
  type PageRoute,
  type RoutedRequest,
  type RouteResult,
  respondBusy,
  respondJson,
  route,
} from '../../../platform/pages/index.ts'
import type { Caps } from '../../../platform/rate-limit/index.ts'
import { type CleanUpAfterGrant, hasAllowed } from '../connected-applications/index.ts'
import type { CookieAuthenticator } from '../sessions/index.ts'
import { registerClient } from './clients.ts'
import { OPEN, preflight } from './cors.ts'
import { findTokenProblem, isKnownClient, isKnownToken } from './known.ts'
import { resourceMetadata, serverMetadata } from './metadata.ts'
import { CONSENT_PATH, ENDPOINTS } from './paths.ts'
import { createAuthorizationServer } from './provider.ts'
import { asReadRequest } from './read-request.ts'
import { refuseBusy, refuseTokens, respondError, type TokenProblem } from './refusals.ts'

/** Shows people that a request cannot be used. */
interface ErrorPages {
  refuseRequest(request: IncomingMessage, status: number, error?: string): PageResponse
}

interface OAuthServices extends Pick<Services, 'database' | 'limiter' | 'bodies' | 'log' | 'clock'> {
  appUrl: string
  /** Whether the service does not know its own host name. */
  acceptsAnyHost: boolean
  addressOf: (request: IncomingMessage) => string
  sessions: CookieAuthenticator
  cleanUpAfterGrant: CleanUpAfterGrant
}

/** Each request is stored until the person has decided. */
const AUTHORIZE_CAPS: Caps = { perMinute: 60, perHour: 600 }
const REGISTER_CAPS: Caps = { perMinute: 10, perHour: 20 }
/** Larger than any request of a client that we know. */
const BODY_BYTES_MAX = 16 * 1024
/**
 * Each takes several steps, on the main thread and in the database. Everybody else is served between those of a few requests,
 * and would wait for those of many.
 */
const IN_PROGRESS = { runningMax: 4, waitingPerKeyMax: 100, waitMsMax: 5 * SECOND_MS }
/** What an application asks for is stored until the person has decided. */
const URL_LENGTH_MAX = 8 * 1024

type OAuthRoute = Omit<PageRoute, 'respond'> & {
  respond: (routed: RoutedRequest) => RouteResult | Promise<RouteResult>
}

/** Adds the authorisation server, and the documents that describe it, to the server. */
export function mountOAuth(server: Server, pages: LoadedOnce<ErrorPages>, services: OAuthServices): void {
  const { appUrl, acceptsAnyHost, database, sessions, clock } = services
  const host = acceptsAnyHost ? undefined : new URL(appUrl).host
  const add = ({ respond, ...declared }: OAuthRoute) =>
    route(server, {
      ...declared,
      // A customer's domain must not look as if one could sign in there.
      respond: (routed) => (host !== undefined && routed.request.headers.host !== host ? 'not_found' : respond(routed)),
    })
  const addOpen = (method: 'GET' | 'POST', declared: Omit<OAuthRoute, 'method'>) => {
    add({ method, busy: (_request, seconds) => refuseBusy(seconds), ...declared })
    const { url, operation } = declared
    add({ method: 'OPTIONS', url, operation, respond: () => preflight(method) })
  }

  const describe = (url: string, document: object) => {
    const response = respondJson(200, document, { ...OPEN, 'cache-control': 'public, max-age=300' })
    addOpen('GET', { url, operation: 'oauth.metadata', respond: () => response })
  }
  describe('/.well-known/oauth-authorization-server', serverMetadata(appUrl))
  for (const path of ['', '/v1']) describe(`/.well-known/oauth-protected-resource${path}`, resourceMetadata(appUrl))

  const inProgress = new FairQueue(IN_PROGRESS)
  const inTurn = <T>(request: IncomingMessage, work: () => Promise<T>): Promise<T> =>
    inProgress.run(addressBlock(services.addressOf(request)), work)

  // Most services have no applications, and the library takes 14 MB.
  const library = new LoadedOnce(async () => {
    const loaded = await pages.get()
    return createAuthorizationServer(
      {
        ...services,
        cleanUp: services.cleanUpAfterGrant,
        consentPath: (id) => `${CONSENT_PATH}/${id}`,
        errorPage: (request, status, error) => loaded.refuseRequest(request, status, error),
        hasAllowed: async (request, clientId) => {
          const token = sessions.cookie.read(request.headers.cookie)
          const person = token === undefined ? undefined : await sessions.find(token, clock())
          return person !== undefined && hasAllowed(database.read, person.user_id, clientId)
        },
      },
      (request) => ({ address: services.addressOf(request), userAgent: request.headers['user-agent'] ?? null }),
    )
  })
  /** Lets the library respond. */
  const pass = async (routed: RoutedRequest, body: Buffer = Buffer.alloc(0)): Promise<undefined> => {
    const { request, requestId, response, takeOver } = routed
    const authorizationServer = await library.get()
    takeOver()
    response.setHeader('x-request-id', requestId)
    await authorizationServer.handle(asReadRequest(request, body, appUrl), response)
  }

  for (const path of ['', '/:uid']) {
    add({
      method: 'GET',
      url: ENDPOINTS.authorization + path,
      operation: 'oauth.authorize',
      paced: 'authorisation',
      respond: (routed) =>
        inTurn(routed.request, async () => {
          const { request, query } = routed
          const isNew = path === ''
          const isUsable = (request.url ?? '').length <= URL_LENGTH_MAX
          if (!isUsable || (isNew && !(await isKnownClient(database.read, query.get('client_id'))))) {
            return (await pages.get()).refuseRequest(request, 400)
          }
          const seconds = await limit(request, AUTHORIZE_CAPS, 'authorize', services)
          return seconds > 0 ? respondBusy(request, seconds) : pass(routed)
        }),
    })
  }

  const addForTokens = (
    name: 'token' | 'revocation',
    findResponse: (form: URLSearchParams) => Promise<PageResponse | TokenProblem | undefined>,
  ) =>
    addOpen('POST', {
      url: ENDPOINTS[name],
      operation: `oauth.${name}`,
      paced: 'token',
      respond: async (routed) => {
        const body = await readBody(routed.request, services)
        if (!Buffer.isBuffer(body)) return body
        return inTurn(routed.request, async () => {
          const found = await findResponse(new URLSearchParams(body.toString()))
          if (typeof found === 'string') {
            routed.request.loggedAs = { error: found }
            return refuseTokens(found)
          }
          if (found !== undefined) return found
          routed.response.setHeader('access-control-allow-origin', OPEN['access-control-allow-origin'])
          return pass(routed, body)
        })
      },
    })
  addForTokens('token', (form) => findTokenProblem(database.read, form, timestamp(clock())))
  addForTokens('revocation', async (form) => {
    const token = form.get('token')
    if (token === null) return 'invalid_request'
    if (!(await isKnownClient(database.read, form.get('client_id')))) return 'invalid_client'
    return (await isKnownToken(database.read, token)) ? undefined : { status: 200, headers: OPEN, body: '' }
  })

  addOpen('POST', {
    url: ENDPOINTS.registration,
    operation: 'oauth.register',
    respond: async ({ request }) => {
      const seconds = await limit(request, REGISTER_CAPS, 'register', services)
      if (seconds > 0) return refuseBusy(seconds)
      const body = await readBody(request, services)
      if (!Buffer.isBuffer(body)) return body
      const answer = await registerClient(database, parseJson(body), timestamp(clock()))
      if ('error' in answer) request.loggedAs = { error: answer.error }
      return respondJson('error' in answer ? 400 : 201, answer, OPEN)
    },
  })
}

/** Counts what is stored for this address, over all processes. Returns 0, or the seconds until it may store more. */
async function limit(
  request: IncomingMessage,
  caps: Caps,
  name: string,
  { limiter, addressOf, clock }: OAuthServices,
): Promise<number> {
  const key = `oauth ${name} ${addressBlock(addressOf(request))}`
  const { retryAfterSeconds } = await limiter.take(key, caps, clock())
  if (retryAfterSeconds > 0) request.loggedAs = { error: 'too_many_requests' }
  return retryAfterSeconds
}

/** Returns a response if the body cannot be read. */
async function readBody(
  request: IncomingMessage,
  { bodies, addressOf }: OAuthServices,
): Promise<Buffer | PageResponse> {
  const refuse = (status: number, description: string): PageResponse => {
    request.loggedAs = { error: 'invalid_request' }
    return respondError(status, 'invalid_request', description)
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
