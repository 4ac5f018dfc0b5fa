import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { timestamp } from '../../../platform/clock/index.ts'
import { LANGUAGES } from '../../../platform/contract/languages.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { BodyReader } from '../../../platform/http/bodies/body-reader.ts'
import { type Compression, SERVICE } from '../../../platform/http/caching/compression.ts'
import { asksForSignIn, isRecent, recentSignInRequired } from '../../../platform/http/pipeline/recent-sign-in.ts'
import { toApiError } from '../../../platform/http/pipeline/to-api-error.ts'
import { SecretCookie } from '../../../platform/http/server/cookies.ts'
import { isFromOwnPage } from '../../../platform/http/server/own-page.ts'
import { compressPage, HTML_TYPE, type PageResponse, statusOf } from '../../../platform/pages/index.ts'
import { html } from '../../../platform/text/html.ts'
import { negotiate } from '../../../platform/text/negotiate-language.ts'
import { nameDevice } from '../../../platform/user-agent/device.ts'
import { FORM_TOKEN, hasSwitched, unmaskToken } from './forms.ts'
import { invalid, notice, PATHS, policyFor, renderPage } from './layout.ts'
import { confirmFirst } from './pages/sign-in/confirm.ts'
import type { AccountRequestServices } from './request-services.ts'
import { type AccountRoute, type Act, findRoute } from './routes.ts'
import { TEXTS } from './texts.ts'
import type { AccountResponse, AccountVisit, Apply, SignedInVisit } from './visit.ts'

const FORM_COOKIE_SECONDS = 24 * 60 * 60
/** Larger than any of our forms. */
const FORM_BYTES_MAX = 64 * 1024
const NEVER_ABORTED = new AbortController().signal

/** Answers requests for the account pages. */
export class AccountPages {
  readonly #services: AccountRequestServices
  readonly #bodies: BodyReader
  readonly #formCookie: SecretCookie
  readonly #compression: Compression

  constructor(services: AccountRequestServices, bodies: BodyReader, compression: Compression) {
    this.#services = services
    this.#bodies = bodies
    this.#compression = compression
    this.#formCookie = new SecretCookie('waymark_form', services.appUrl, 'Strict')
  }

  async answer(request: IncomingMessage, requestId: string): Promise<PageResponse> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const route = findRoute(url.pathname)
    const known = this.#formCookie.read(request.headers.cookie)
    const secret = known ?? randomBytes(32).toString('base64url')
    let visit = this.#toVisit(request, url, secret)
    let answer: AccountResponse
    try {
      const person = await this.#findPerson(visit)
      request.loggedAs = { orgId: person?.credential?.orgId, credentialId: person?.credential?.id }
      visit = { ...visit, person }
      answer = await this.#visit(route, visit)
    } catch (error) {
      answer = this.#answerError(visit, error, requestId)
    }
    const cookies = [...(answer.cookies ?? []), ...(known ? [] : [this.#formCookie.set(secret, FORM_COOKIE_SECONDS)])]
    const response = toResponse(visit, answer, cookies, `account.${route?.name ?? 'none'}`)
    return mayBeCompressed(visit, answer, url.search)
      ? compressPage(this.#compression, request, response, visit.person?.org_id ?? SERVICE)
      : response
  }

  /** Says that an application sent a person here with a request that we cannot accept. */
  refuseRequest(request: IncomingMessage, status: number, error?: string): PageResponse {
    const visit = this.#toVisit(request, new URL(PATHS.consent, 'http://localhost'), '')
    const kind = status >= 500 ? 'unavailable' : 'invalidRequest'
    const shown = notice(visit, kind, status)
    // The code of OAuth helps the developer of the application.
    if (error !== undefined && 'main' in shown)
      shown.main = html`${shown.main}<p class="muted"><code>${error}</code></p>`
    return toResponse(visit, shown, [], 'oauth.authorize')
  }

  #answerError(visit: AccountVisit, error: unknown, requestId: string): AccountResponse {
    visit.request.loggedAs = { ...visit.request.loggedAs, error: toApiError(error).code }
    if (error instanceof ApiError && error.status < 500) return invalid(visit, error.message, error.status)
    const status = statusOf(error)
    if (status === undefined) this.#services.log.error({ request_id: requestId, err: error }, 'account page failed')
    return notice(visit, 'unavailable', status ?? 500)
  }

  #toVisit(request: IncomingMessage, url: URL, secret: string): AccountVisit {
    const { headers } = request
    const language = negotiate(headers['accept-language'], LANGUAGES, 'en')
    const nowMs = this.#services.clock()
    return {
      request,
      path: url.pathname,
      query: url.searchParams,
      form: new URLSearchParams(),
      language,
      texts: TEXTS[language],
      origin: { address: this.#services.addressOf(request), device: nameDevice(headers['user-agent']) },
      nowMs,
      now: timestamp(nowMs),
      formToken: toFormToken(secret),
      person: undefined,
      shown: { hasOutsideText: false },
    }
  }

  async #visit(route: AccountRoute | undefined, visit: AccountVisit): Promise<AccountResponse> {
    if (route === undefined) return notice(visit, 'notFound', 404)
    const isPost = visit.request.method === 'POST'
    const act = isPost ? route.post : route.get
    if (act === undefined) return { ...notice(visit, 'notFound', 405), allow: isPost ? 'GET, HEAD' : 'POST' }
    const form = isPost ? await this.#readForm(visit) : visit.form
    if (form === undefined) return notice(visit, 'expired', 403)
    const sent: AccountVisit = { ...visit, form }
    if (route.isPublic) return (act as Act<AccountVisit>)(this.#services, sent)
    if (visit.person === undefined) return { goTo: `${PATHS.signIn}?next=${encodeURIComponent(visit.path)}` }
    const answer = await this.#act(route, act as Act<SignedInVisit>, this.#signedIn(sent, visit.person))
    return 'apply' in answer ? this.#apply(sent, answer) : answer
  }

  /** If the person has to prove again who they are, they do that first. */
  async #act(route: AccountRoute, act: Act<SignedInVisit>, visit: SignedInVisit): Promise<AccountResponse> {
    if (route.isOfOrganisation && hasSwitched(visit)) return notice(visit, 'switched', 409)
    try {
      if (route.needsRecentSignIn && !isRecent(visit.person.authenticated_at, visit.nowMs))
        throw recentSignInRequired(PATHS.confirm)
      return await act(this.#services, visit)
    } catch (error) {
      if (!(error instanceof ApiError) || !asksForSignIn(error.details)) throw error
      if (visit.request.method === 'POST') return confirmFirst(this.#services, visit)
      return { goTo: `${PATHS.confirm}?next=${encodeURIComponent(visit.path)}` }
    }
  }

  /** Applies the form that a person had sent before they confirmed who they are. */
  async #apply(
    visit: AccountVisit,
    { apply: { path, form }, token, cookies = [] }: AccountResponse & Apply,
  ): Promise<AccountResponse> {
    const route = findRoute(path)
    const person = await this.#services.sessions.find(token, visit.nowMs)
    if (route?.isPublic !== false || route.post === undefined || path === PATHS.confirm || person === undefined) {
      return { goTo: PATHS.account, cookies }
    }
    const answer = await this.#act(route, route.post, this.#signedIn({ ...visit, path, form }, person))
    // The session may get another token. The last cookie counts.
    return { ...answer, cookies: [...cookies, ...(answer.cookies ?? [])] }
  }

  async #findPerson({ request, nowMs }: AccountVisit): Promise<AccountVisit['person']> {
    const { sessions } = this.#services
    const token = sessions.cookie.read(request.headers.cookie)
    return token === undefined ? undefined : sessions.find(token, nowMs)
  }

  #signedIn(visit: AccountVisit, person: NonNullable<AccountVisit['person']>): SignedInVisit {
    const { request, origin } = visit
    return {
      ...visit,
      person,
      call: async (operation, call = {}) => {
        const { credential } = person
        if (credential === undefined) return { status: 403, body: { error: 'forbidden' }, hasOutsideText: false }
        const result = await this.#services.call(operation, { request, address: origin.address, credential }, call)
        visit.shown.hasOutsideText ||= result.hasOutsideText
        if (result.status === 403 && asksForSignIn(result.body.details)) throw recentSignInRequired(PATHS.confirm)
        return result
      },
    }
  }

  /** Undefined if it is not a form of one of our pages. */
  async #readForm({ request, origin, formToken }: AccountVisit): Promise<URLSearchParams | undefined> {
    const { 'content-type': type = '', 'content-length': length } = request.headers
    const isForm = type.startsWith('application/x-www-form-urlencoded') && Number(length) <= FORM_BYTES_MAX
    if (!isForm || !isFromOwnPage('POST', request.headers)) return undefined
    const body = await this.#bodies.read(request, origin.address, () => NEVER_ABORTED)
    // No database stores it, and nobody types it.
    const form = new URLSearchParams(body.content.toString().replaceAll('%00', ''))
    body.release()
    return isSameToken(unmaskToken(form.get(FORM_TOKEN) ?? ''), formToken) ? form : undefined
  }
}

function toResponse(visit: AccountVisit, answer: AccountResponse, cookies: string[], operation: string): PageResponse {
  const headers: PageResponse['headers'] = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
  if (cookies.length > 0) headers['set-cookie'] = cookies
  if (answer.allow !== undefined) headers.allow = answer.allow
  if ('apply' in answer) throw new Error('a form was applied that asks for a form to be applied')
  if ('goTo' in answer) return { status: 303, headers: { ...headers, location: answer.goTo }, body: '', operation }
  return {
    status: answer.status ?? 200,
    headers: {
      ...headers,
      'content-type': HTML_TYPE,
      'content-language': visit.language,
      'content-security-policy': policyFor(answer),
    },
    body: renderPage(visit, answer),
    operation,
  }
}

/**
 * The length of a compressed page says whether two parts of it are alike (`platform/http/caching/compression.ts`). So it is not
 * compressed if anybody else chose a part of it: by a form or a link, which may be repeated in the page, or as a visitor or
 * application. Secrets are only shown in the response to a form. The token of forms is masked.
 */
function mayBeCompressed({ request, shown }: AccountVisit, answer: AccountResponse, search: string): boolean {
  const isAsked = request.method !== 'POST' && search === ''
  return isAsked && 'main' in answer && !answer.hasOutsideText && !shown.hasOutsideText
}

/** The token is in pages, and the secret in a cookie that no script and no other site can read. */
const toFormToken = (secret: string): string => hash('sha256', `form ${secret}`, 'base64url')

const isSameToken = (sent: string, expected: string): boolean =>
  sent.length === expected.length && timingSafeEqual(Buffer.from(sent), Buffer.from(expected))
