import { generateKeyPairSync } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type {
  Configuration,
  errors,
  interactionPolicy,
  JWK,
  KoaContextWithOIDC,
  default as Provider,
} from 'oidc-provider'
import { DAY_MS, SECOND_MS } from '../../../platform/clock/index.ts'
import type { PageResponse } from '../../../platform/pages/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { SCOPES } from '../scopes/contract.ts'
import { findUser } from '../users/index.ts'
import { type ClientOrigin, OAuthStorage, type Storage } from './adapter.ts'
import { ACCESS_TOKEN_MS, CODE_MS, REFRESH_TOKEN_MS, REQUEST_MS } from './limits.ts'
import { type Library, loadLibrary } from './load-library.ts'
import { ENDPOINTS, requestCookieOf } from './paths.ts'
import { accessTokens, refreshTokens } from './token.ts'

interface ProviderSettings extends Omit<Storage, 'usedTwice' | 'returnTo' | 'resource'> {
  readonly appUrl: string
  readonly log: Logger
  /** The path of the page on which a person decides about a request. */
  readonly consentPath: (requestId: string) => string
  /** The page that says what is wrong with a request that we cannot send back to the application. */
  readonly errorPage: (request: ServerResponse['req'], status: number, error?: string) => PageResponse
  /** Whether the person in this browser lets the application act for them already. */
  readonly hasAllowed: (request: ServerResponse['req'], clientId: string) => Promise<boolean>
}

interface AuthorizationServer {
  handle(request: ServerResponse['req'], response: ServerResponse): Promise<void>
}

/** The address of the API of this installation. */
export const resourceOf = (appUrl: string): string => `${appUrl}/v1`

/** Starts the library: an OAuth 2.1 server, with everything of OpenID Connect turned off. */
export async function createAuthorizationServer(
  settings: ProviderSettings,
  senderOf: (request: ServerResponse['req']) => ClientOrigin,
): Promise<AuthorizationServer> {
  const library = await loadLibrary()
  const { appUrl, log } = settings
  const storage = new OAuthStorage({
    ...settings,
    resource: resourceOf(appUrl),
    returnTo: (id) => `${appUrl}${ENDPOINTS.authorization}/${id}`,
    usedTwice: () => new library.errors.InvalidGrant('it was used before'),
  })
  const provider = new library.Provider(appUrl, configure(library, storage, settings))
  // We set the forwarded headers ourselves, so that they always say the address of this installation.
  provider.proxy = true
  const report = (error: Error) => log.error({ err: error }, 'oauth failed')
  // Without a listener, the library would print errors.
  ;(provider as EventEmitter).on('error', report)
  provider.on('server_error', (_ctx, error) => report(error))
  const logError = ({ res }: KoaContextWithOIDC, { error }: errors.OIDCProviderError) => {
    res.req.loggedAs = { error }
  }
  provider.on('authorization.error', logError)
  provider.on('grant.error', logError)
  provider.on('revocation.error', logError)
  provider.on('grant.success', ({ res, oidc }) => {
    res.req.loggedAs = { credentialId: oidc.entities.Grant?.jti }
  })
  giveTokensTheirForm(provider)
  provider.use(dropSessionCookie)
  provider.use(refuseResponseModes)
  provider.use(keepPeopleHere(settings))
  provider.use(async (ctx, next) => {
    if (ctx.method !== 'POST') return next()
    await storage
      .inTransaction(senderOf(ctx.req), async () => {
        await next()
        if (ctx.status >= 500) throw new Failed()
      })
      .catch((error) => {
        if (!(error instanceof Failed)) report(error)
        ctx.status = 503
        ctx.body = { error: 'temporarily_unavailable', error_description: 'Try again in a few seconds.' }
      })
  })
  const handle = provider.callback()
  return { handle: (request, response) => handle(request, response) }
}

/** Rolls the transaction back. The library has caught the reason, and reported it as `server_error`. */
class Failed extends Error {}

function configure(
  { errors, interactionPolicy }: Library,
  storage: OAuthStorage,
  { appUrl, database, consentPath, errorPage }: ProviderSettings,
): Configuration {
  const resource = resourceOf(appUrl)
  const requestCookie = requestCookieOf(appUrl)
  return {
    adapter: storage.adapterFor,
    routes: { authorization: ENDPOINTS.authorization, token: ENDPOINTS.token, revocation: ENDPOINTS.revocation },
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'EdDSA',
    },
    // No ID tokens are issued, but the library requires a key that could sign them.
    jwks: { keys: [generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK] },
    scopes: [],
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        getResourceServerInfo: (ctx, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget(`the resource is ${resource}`)
          keepKnownScopes(ctx, errors)
          return { scope: SCOPES.join(' '), accessTokenFormat: 'opaque' }
        },
      },
    },
    cookies: {
      names: {
        interaction: requestCookie,
        resume: `${requestCookie}_resume`,
        session: UNUSED_SESSION_COOKIE,
      },
      short: { httpOnly: true, sameSite: 'lax', signed: false, overwrite: true },
      long: { signed: false },
    },
    interactions: {
      policy: decideEveryTime(interactionPolicy),
      url: (_ctx, { uid }) => consentPath(uid),
    },
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.result?.consent?.grantId
      return grantId === undefined ? undefined : ctx.oidc.provider.Grant.find(grantId)
    },
    findAccount: async (_ctx, id) => {
      const user = await findUser(database.read, id)
      if (user === undefined || user.deactivated_at !== null) return undefined
      return { accountId: id, claims: () => ({ sub: id }) }
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    expiresWithSession: () => false,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    ttl: {
      AccessToken: ACCESS_TOKEN_MS / SECOND_MS,
      AuthorizationCode: CODE_MS / SECOND_MS,
      RefreshToken: REFRESH_TOKEN_MS / SECOND_MS,
      Interaction: REQUEST_MS / SECOND_MS,
      Session: REQUEST_MS / SECOND_MS,
      // Grants are ours. The library asks all the same.
      Grant: DAY_MS / SECOND_MS,
    },
    renderError: (ctx, { error }) => {
      const { headers, body } = errorPage(ctx.req, ctx.status, error)
      ctx.set(headers)
      ctx.body = body
    },
  }
}

/** A person decides about every request: nobody can tell whether a public client is the same one as before. */
function decideEveryTime({ Prompt, Check }: Library['interactionPolicy']): interactionPolicy.Prompt[] {
  const undecided = new Check(
    'undecided',
    'the person has to decide',
    'interaction_required',
    (ctx) => ctx.oidc.result?.consent === undefined,
  )
  // A person always sees who is signed in, and can sign in as somebody else. So all of these are the same to us.
  return ['consent', 'login', 'select_account'].map((name) => new Prompt({ name, requestable: true }, undecided))
}

/** Scopes that we do not know are left out, as are those of OpenID Connect. */
function keepKnownScopes({ oidc }: KoaContextWithOIDC, { InvalidScope }: Library['errors']): void {
  if (oidc.route !== 'authorization') return
  const requested = String(oidc.params?.scope ?? '').split(' ')
  const known = SCOPES.filter((scope) => requested.includes(scope))
  if (known.length === 0) throw new InvalidScope('request at least one scope that we know', requested.join(' '))
  if (oidc.params !== undefined) oidc.params.scope = known.join(' ')
}

/** The library has no setting for it. A prefix lets people and scanners recognise a leaked token. */
function giveTokensTheirForm({ AccessToken, RefreshToken }: Provider): void {
  Object.assign(AccessToken.prototype, {
    generateTokenId(this: { format: string }) {
      this.format = 'opaque'
      return accessTokens.create()
    },
  })
  Object.assign(RefreshToken.prototype, { generateTokenId: () => refreshTokens.create() })
}

const UNUSED_SESSION_COOKIE = 'waymark_oauth_session'

/** The library remembers people in sessions of its own. We have ours, and store none of the library's. */
async function dropSessionCookie({ response }: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next()
  const cookies = [response.headers['set-cookie'] ?? []].flat()
  const kept = cookies.filter((cookie) => !cookie.startsWith(`${UNUSED_SESSION_COOKIE}=`))
  if (kept.length === 0) response.remove('set-cookie')
  else response.set('set-cookie', kept)
}

/** The library knows others, too. One of them is a page with a script. */
function refuseResponseModes(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { response_mode: mode } = ctx.query
  if (mode !== undefined && mode !== 'query') ctx.query = { ...ctx.query, response_mode: 'unsupported' }
  return next()
}

/**
 * Anybody can register an application, and then send people to its site by way of ours: every error of a request leads there
 * (RFC 9700, 4.11). So before a person has allowed an application anything, errors are shown on a page of ours.
 */
const keepPeopleHere =
  ({ errorPage, hasAllowed }: ProviderSettings) =>
  async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next()
    const leavesUs = ctx.path === ENDPOINTS.authorization && URL.canParse(ctx.response.get('location'))
    if (!leavesUs || (await hasAllowed(ctx.req, String(ctx.query.client_id)))) return
    const { status, headers, body } = errorPage(ctx.req, 400, ctx.req.loggedAs?.error)
    ctx.remove('location')
    ctx.status = status
    ctx.set(headers)
    ctx.body = body
  }
