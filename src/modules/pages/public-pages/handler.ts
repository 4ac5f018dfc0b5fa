import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { visitorQuery } from '../../../platform/http/lists/visitor-query.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import type { RawRequest } from '../../../platform/http/server/raw-request.ts'
import { type Handle, READ_METHODS, type RequestHandler } from '../../../platform/http/server/request-handler.ts'
import { pagePolicy } from '../../../platform/http/server/security-headers.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { randomBase62 } from '../../../platform/ids/index.ts'
import { type NoticeSender, toSentNotice } from '../../../platform/notices/index.ts'
import { isTemporary, sendPage, sendRaw } from '../../../platform/pages/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { isBot } from '../../../platform/user-agent/bots.ts'
import type { UserAgents } from '../../../platform/user-agent/user-agents.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'
import { type BlockOf, textIn } from '../blocks/index.ts'
import type { PublicPage } from '../published-pages/index.ts'
import { ABOUT_FIELD, RECEIPT_FIELD } from './form-state.ts'
import { NOTICES, type NoticeKind, noticeFor, senderOf } from './notices.ts'
import { findSentReceipt } from './receipt/sent-receipt.ts'
import { vcard } from './rendering/vcard.ts'
import { openScanContext } from './scan-context.ts'
import { recordView, type ViewRecorder } from './views/record-view.ts'
import { findBody, findPage, type PageSources, requestedLanguage } from './visit.ts'
import { type PageVisit, VISIT_MS } from './visit-cookie.ts'

const PREFIX = '/p/'
/** No other address of a page exists. A dot is not in any public slug: files below /p/ are not ours. */
const PATH = /^([^/.]*)(?:\/(sent)?|\/contact\/([0-9a-f-]{36})\.vcf)?$/
/** Allows no character that ends the path of a cookie. */
const COOKIE_PATH = /^[\w/.~%-]{1,100}$/
const VISIT_ID_LENGTH = 12

/** A scan that shows a page in place. */
export interface ScannedVisit {
  publicSlug: string
  scanned: ScannedThing
  scanId: string
  /** The parameters of the code, overridden by those of the visitor. */
  query: Readonly<Record<string, string>>
  /** The path of the scanned address. */
  path: string
}

export interface HandlerServices extends PageSources {
  views: ViewRecorder
  userAgents: UserAgents
  server: Pick<Server, 'record' | 'compression'>
  database: Database
  clock: Clock
  log: Logger
}

/** Serves public pages below /p/, outside the framework: it takes longer than sending a cached page. */
export class PageHandler implements RequestHandler {
  readonly #services: HandlerServices

  constructor(services: HandlerServices) {
    this.#services = services
  }

  tryHandle(request: IncomingMessage, response: ServerResponse, next: Handle): boolean {
    const { method, url = '' } = request
    if (!url.startsWith(PREFIX) || (method !== 'GET' && method !== 'HEAD')) return false
    const queryAt = url.indexOf('?')
    const parts = PATH.exec(url.slice(PREFIX.length, queryAt === -1 ? undefined : queryAt))
    if (parts === null) return false
    const [, publicSlug = '', sent, contactId] = parts
    const query = queryAt === -1 ? {} : visitorQuery(url.slice(queryAt)).stored
    const raw = { request, response }
    void this.#guarded(raw, async () => {
      const found = await findPage(this.#services, publicSlug, request)
      const { shownAt } = request
      if (found === undefined && (await this.#services.hosts.sendsOn({ host: hostOf(request), shownAt })))
        return next(request, response)
      const page = this.#showable(raw, found)
      if (page === undefined) return
      if (contactId !== undefined) this.#sendContact(raw, page, contactId, query)
      else await this.#show(raw, page, sent === undefined ? 'page' : 'sent', query)
    })
    return true
  }

  methodsOf(path: string): readonly string[] {
    return path.startsWith(PREFIX) && PATH.test(path.slice(PREFIX.length)) ? READ_METHODS : []
  }

  /**
   * Shows a page at the address of a code. If visitors may not see it, returns the notice of the code that they see instead.
   * Throws if it cannot be loaded at the moment.
   */
  async showScanned(
    raw: RawRequest,
    { publicSlug, scanned, scanId, query, path }: ScannedVisit,
  ): Promise<'paused' | 'not_set_up' | undefined> {
    // The scan has found out that this host shows what was scanned, which belongs to the same organisation.
    const page = await this.#services.store.find(publicSlug)
    const notice = noticeFor(page)
    if (notice !== undefined) return notice === 'paused' ? 'paused' : 'not_set_up'
    const shown = page as PublicPage
    raw.request.loggedAs = { orgId: shown.orgId }
    const { status, headers, body } = await findBody(this.#services, shown, {
      kind: 'page',
      scanned,
      query,
      headers: raw.request.headers,
    })
    const visit = await this.#recordVisit(raw, shown, scanId, query)
    // A second scan of the same code is the same visit, so its address gets the cookie, too.
    const cookies = this.#setCookies(shown, visit, COOKIE_PATH.test(path) ? path : undefined)
    const all = [...headers, 'cache-control', 'no-store', 'x-robots-tag', 'noindex', ...cookies]
    sendRaw(this.#services.server, raw, 'page.scan', { status, headers: all, body })
    return undefined
  }

  async #show(raw: RawRequest, page: PublicPage, kind: 'page' | 'sent', query: PageVisit['query']): Promise<void> {
    const { keyring, server, database } = this.#services
    const scanned = openScanContext(keyring, page.id, query[ABOUT_FIELD])
    const receipt = kind === 'sent' ? await findSentReceipt(database.read, page, query[RECEIPT_FIELD]) : undefined
    const { headers } = raw.request
    const stored = await findBody(this.#services, page, { kind, scanned, query, headers, receipt })
    const { lang: _, [ABOUT_FIELD]: __, ...rest } = query
    const visit = kind === 'page' ? await this.#recordVisit(raw, page, null, rest) : undefined
    sendPage(server, raw, `page.${kind}`, stored, [
      // Not `public`: a cache must not give the cookie of one visitor to another.
      ...['cache-control', receipt === undefined ? 'private, no-cache' : 'no-store'],
      ...(scanned === null ? [] : ['x-robots-tag', 'noindex']),
      // Forms are sent to the address of the page itself, but the visitor comes back to that of the route.
      ...this.#setCookies(page, visit, raw.request.shownAt === '' ? '/' : raw.request.shownAt),
    ])
  }

  /** Sets one for the address of the page, and one for another address that shows it. None if the visit has not changed. */
  #setCookies(page: PublicPage, visit: PageVisit | undefined, shownAt: string | undefined): string[] {
    if (visit === undefined) return []
    const paths = [PREFIX + page.publicSlug, ...(shownAt === undefined ? [] : [shownAt])]
    return paths.flatMap((path) => ['set-cookie', this.#services.cookie.seal(page.id, visit, path)])
  }

  /** Counts a person once per visit. Returns what has changed about the visit, and undefined if nothing has. */
  async #recordVisit(
    { request }: RawRequest,
    page: PublicPage,
    scanId: string | null,
    query: PageVisit['query'],
  ): Promise<PageVisit | undefined> {
    const { cookie, clock, userAgents, views } = this.#services
    const { headers, method = '' } = request
    if (isBot({ method, headers, userAgent: userAgents.read(headers['user-agent']) })) return undefined
    const nowMs = clock()
    if (scanId === null && cookie.saysCounted(page.id, headers.cookie, nowMs)) return undefined
    const known = cookie.open(page.id, headers.cookie, nowMs)
    if (known !== undefined && nowMs - known.countedAtMs < VISIT_MS) return { ...known, scanId, query }
    await recordView(views, page, nowMs)
    return { id: randomBase62(VISIT_ID_LENGTH), openedAtMs: nowMs, scanId, query, countedAtMs: nowMs }
  }

  /** Sends a notice and returns undefined if there is no such page for visitors. */
  #showable(raw: RawRequest, found: PublicPage | 'gone' | undefined): PublicPage | undefined {
    const notice = noticeFor(found)
    if (notice === undefined) return found as PublicPage
    this.#sendNotice(raw, notice, typeof found === 'object' ? senderOf(found) : undefined)
    return undefined
  }

  async #guarded(raw: RawRequest, work: () => Promise<void>): Promise<void> {
    const { log } = this.#services
    try {
      await work()
    } catch (error) {
      if (!isTemporary(error)) log.error({ err: error }, 'a page failed')
      if (raw.response.headersSent) raw.response.destroy()
      else this.#sendNotice(raw, 'unavailable')
    }
  }

  #sendNotice(raw: RawRequest, kind: NoticeKind, sender?: NoticeSender): void {
    const { server } = this.#services
    const { request } = raw
    const { 'accept-language': acceptLanguage, 'accept-encoding': acceptEncoding } = request.headers
    request.loggedAs = { ...request.loggedAs, error: kind }
    const notice = toSentNotice(NOTICES.get(kind, acceptLanguage, sender), acceptEncoding, server.compression)
    notice.headers.push('cache-control', 'no-store', 'x-robots-tag', 'noindex')
    sendRaw(server, raw, `page.${kind}`, notice)
  }

  #sendContact(raw: RawRequest, page: PublicPage, id: string, query: PageVisit['query']): void {
    const block = page.blocks.find((found): found is BlockOf<'contact'> => found.id === id && found.type === 'contact')
    if (block === undefined) {
      this.#sendNotice(raw, 'unknown')
      return
    }
    const language = requestedLanguage(page, query.lang) ?? page.defaultLanguage
    const { job_title } = block.config
    const title = job_title === null ? '' : textIn(job_title, language, page.defaultLanguage).text
    const body = Buffer.from(vcard(block.config, title))
    const headers = [
      ...['content-type', 'text/vcard; charset=utf-8', 'content-length', String(body.length)],
      ...['content-disposition', 'attachment; filename="contact.vcf"', 'content-security-policy', pagePolicy([])],
      ...['cache-control', 'private, no-cache', 'x-robots-tag', 'noindex'],
    ]
    sendRaw(this.#services.server, raw, 'page.contact', { status: 200, headers, body })
  }
}
