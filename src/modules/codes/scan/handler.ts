import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { type VisitorQuery, visitorQuery } from '../../../platform/http/lists/visitor-query.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import { type PublicHandler, READ_METHODS } from '../../../platform/http/server/public-handler.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { isCompressedLink } from '../gs1/index.ts'
import { signScan } from '../scanned-things/index.ts'
import type { VisitorSalt } from '../scans/index.ts'
import { addParams } from './add-params.ts'
import { type Gs1Address, isGs1Address, isGs1Path, isScanPath, parseScanAddress, type ScanAddress } from './address.ts'
import { type Destination, decide } from './decide.ts'
import {
  CONTEXT_HEADER,
  CORS_HEADERS,
  decideScannedLink,
  gs1Headers,
  hasMalformedAttributes,
  LINKSET_TYPE,
  type LinkDecision,
  type Linkset,
  METHODS_HEADER,
  readAsked,
  renderLinkset,
} from './gs1/index.ts'
import type { NoticeKind } from './pages/notice.ts'
import type { Senders } from './pages/senders.ts'
import type { ScanRecorder } from './recorder.ts'
import type { Resolved, Resolver } from './resolve.ts'
import type { Exchange, Responder } from './respond.ts'
import type { ScanRowBuilder } from './scan-row.ts'

export interface ScanServices {
  resolver: Resolver
  hosts: PublicHosts
  recorder: ScanRecorder
  rows: ScanRowBuilder
  responder: Responder
  salt: VisitorSalt
  senders: Senders
  showPage: ShowPage
  isOpen: IsOpen
  keyring: Keyring
  publicUrl: string
  clock: Clock
  log: Logger
}

/** Whether visitors may see one of our own destinations. A promise if that must be looked up. */
export type IsOpen = (destination: Destination) => boolean | Promise<boolean>

/**
 * Responds with one of our pages, which is at the address of the code then. If visitors may not see it, returns the notice
 * that they see instead. Throws if it cannot be loaded.
 */
export type ShowPage = (
  exchange: Exchange,
  visit: {
    publicSlug: string
    scanned: Pick<Resolved, 'kind' | 'id'>
    scanId: string
    query: Readonly<Record<string, string>>
    path: string
  },
) => Promise<'paused' | 'not_set_up' | undefined>

interface Scan extends Exchange {
  address: ScanAddress
  search: string
}

/** Whose code shows a notice. Without `kind` and `id` if the code is unknown. */
type NoticeOrigin = Pick<Resolved, 'orgId' | 'domainUrl'> & Partial<Pick<Resolved, 'kind' | 'id'>>

/** A batch this large is resolved before the rest of the tick's requests are read, so the database gets work early. */
const ARRIVED_MAX = 32

/**
 * Takes scans through their steps: resolve, decide, record, and only then respond. Requests that arrive in one tick of
 * the event loop go through each step together. Reading a request from the network evicts our code and data from the
 * processor's caches: work that costs 7 µs when run back to back costs 60 µs when interleaved with network reads.
 */
export class ScanHandler implements PublicHandler {
  readonly #services: ScanServices
  #arrived: Scan[] = []

  constructor(services: ScanServices) {
    this.#services = services
  }

  tryHandle(request: IncomingMessage, response: ServerResponse): boolean {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false
    const url = request.url ?? '/'
    const queryAt = url.indexOf('?')
    const address = parseScanAddress(queryAt === -1 ? url : url.slice(0, queryAt))
    if (address === undefined) return false
    const headers = isGs1Address(address) ? gs1Headers(address) : undefined
    if (method === 'OPTIONS') {
      if (headers !== undefined) {
        headers.push(...METHODS_HEADER)
        this.#services.responder.noContent({ request, response, headers })
      }
      return headers !== undefined
    }
    const search = queryAt === -1 ? '' : url.slice(queryAt)
    if (this.#arrived.length === 0) setImmediate(this.#resolveArrived)
    this.#arrived.push({ request, response, headers, address, search })
    if (this.#arrived.length === ARRIVED_MAX) this.#resolveArrived()
    return true
  }

  methodsOf(path: string): readonly string[] {
    const address = parseScanAddress(path)
    if (address === undefined) return []
    return isGs1Address(address) ? [...READ_METHODS, 'OPTIONS'] : READ_METHODS
  }

  methodNotAllowed(request: IncomingMessage, response: ServerResponse, allowed: string): void {
    this.#services.responder.notice({ request, response, headers: ['allow', allowed] }, 'not_found', {
      otherStatus: 405,
    })
  }

  notFound(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? '/'
    const kind = refusalOf(url.split('?', 1)[0] ?? '/')
    const isRoot = url === '/' || url.startsWith('/?')
    if (kind === 'unknown' || (kind === 'not_found' && isRoot)) this.#unknown({ request, response }, kind)
    else if (kind === 'not_found') this.#services.responder.notice({ request, response }, kind)
    else this.#services.responder.notice({ request, response, headers: CORS_HEADERS }, kind)
  }

  readonly #resolveArrived = () => {
    const scans = this.#arrived
    this.#arrived = []
    const nowMs = this.#services.clock()
    for (const scan of scans) {
      try {
        this.#resolve(scan, nowMs)
      } catch (error) {
        // Nothing above would catch it, and one failing scan must not take the rest of the batch with it.
        this.#fail(scan, error)
      }
    }
  }

  /** Nearly always everything is cached, and the scan is recorded without waiting. */
  #resolve(scan: Scan, nowMs: number): void {
    const { resolver, salt } = this.#services
    const host = hostOf(scan.request)
    const cached = resolver.peek(scan.address, host)
    const today = salt.today(nowMs)
    if (cached !== undefined && typeof today === 'string') {
      this.#record(scan, cached, today, nowMs)
      return
    }
    Promise.all([cached === undefined ? resolver.find(scan.address, host) : cached, today])
      .then(([resolved, loadedSalt]) => this.#record(scan, resolved, loadedSalt, nowMs))
      .catch((error) => this.#fail(scan, error))
  }

  #record(scan: Scan, resolved: Resolved | null, salt: string, nowMs: number): void {
    const { rows, recorder } = this.#services
    if (resolved === null) {
      this.#unknown(scan, 'unknown')
      return
    }
    const query = visitorQuery(scan.search)
    const decision = isGs1Address(scan.address)
      ? this.#decideLink(scan, scan.address, resolved, query.pairs)
      : decide(resolved.rule, resolved.group)
    if (decision === undefined) return
    if ('notice' in decision && decision.notice === 'gone') {
      this.#notice(scan, 'gone', resolved)
      return
    }
    const destination = 'destination' in decision ? decision.destination : null
    const row = rows.build(scan, resolved, destination, query.stored, salt, nowMs)
    recorder.record({ row, announced: resolved.hasSubscribers }, (failure) => {
      if (failure !== undefined) this.#fail(scan, failure)
      else if ('notice' in decision) this.#notice(scan, decision.notice, resolved)
      else if (decision.destination.type === 'page') {
        const given = [...decision.params.flat(), ...Object.entries(query.stored)]
        this.#showPage(scan, resolved, decision.destination.address, row.id, Object.fromEntries(given))
      } else {
        const url = this.#urlOf(decision.destination, resolved, row.id, nowMs)
        const target = addParams(url, decision.params, query.pairs)
        this.#redirectIfOpen(scan, resolved, decision.destination, target)
      }
    })
  }

  /** Undefined once it has responded itself: to a malformed link, and to a program that asks for all links, which is no scan. */
  #decideLink(
    scan: Scan,
    address: Gs1Address,
    resolved: Resolved,
    pairs: VisitorQuery['pairs'],
  ): Exclude<LinkDecision, Linkset> | undefined {
    const { responder, publicUrl } = this.#services
    if (hasMalformedAttributes(pairs)) {
      responder.notice(scan, 'malformed')
      return undefined
    }
    const asked = readAsked(scan.request.headers, pairs)
    const decision = decideScannedLink(address, resolved, asked)
    if ('links' in decision) {
      const baseUrl = resolved.domainUrl ?? publicUrl
      responder.data(scan, asked.linkset ?? LINKSET_TYPE, renderLinkset(address, decision, baseUrl), CONTEXT_HEADER)
      return undefined
    }
    if (asked.linkset === undefined || !('notice' in decision)) return decision
    this.#notice(scan, decision.notice, resolved)
    return undefined
  }

  /** What is not published yet is not set up for visitors. The page that says so belongs to the code. */
  #redirectIfOpen(scan: Scan, resolved: Resolved, destination: Destination, target: string): void {
    const { isOpen, responder } = this.#services
    const found = isOpen(destination)
    if (found === true) {
      responder.redirect(scan, target)
      return
    }
    Promise.resolve(found)
      // Where it leads can say better that the database is away.
      .catch(() => true)
      .then((isShown) => {
        if (isShown) responder.redirect(scan, target)
        else this.#notice(scan, 'not_set_up', resolved)
      })
  }

  /** With its sender, and what was scanned. */
  #notice(scan: Exchange, kind: NoticeKind, { orgId, kind: scanned, id, domainUrl }: NoticeOrigin): void {
    const { senders, responder, publicUrl } = this.#services
    const thing = scanned === undefined || id === undefined ? null : { kind: scanned, id }
    void senders.find(orgId, thing, domainUrl ?? publicUrl).then((sender) => responder.notice(scan, kind, { sender }))
  }

  #showPage(
    scan: Scan,
    resolved: Resolved,
    address: string,
    scanId: string,
    query: Readonly<Record<string, string>>,
  ): void {
    const { request, response, headers = [] } = scan
    const { kind, id } = resolved
    const publicSlug = address.slice(address.lastIndexOf('/') + 1)
    for (let at = 0; at < headers.length; at += 2) response.appendHeader(headers[at] ?? '', headers[at + 1] ?? '')
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
    this.#services
      .showPage({ request, response }, { publicSlug, scanned: { kind, id }, scanId, query, path })
      .then((notice) => {
        if (notice !== undefined) this.#notice({ request, response }, notice, resolved)
      })
      .catch((error) => this.#fail(scan, error))
  }

  /** A custom domain may say where to go instead. This is no scan, because nothing was scanned. */
  #unknown(exchange: Exchange, notice: 'unknown' | 'not_found'): void {
    const { hosts, responder } = this.#services
    const host = hostOf(exchange.request)
    const path = exchange.request.url ?? '/'
    if (hosts.isOwn(host)) {
      responder.notice(exchange, notice)
      return
    }
    hosts.domains
      .find(host)
      .then((domain) => {
        const url = domain?.fallbackUrl
        if (url && !leadsHere(url, host, path)) responder.redirect(exchange, url)
        else if (domain) this.#notice(exchange, notice, { orgId: domain.orgId, domainUrl: domain.url })
        else responder.notice(exchange, notice)
      })
      .catch((error) => this.#fail(exchange, error))
  }

  /** Our own addresses get the scan, so that later actions of the visitor can be attributed to it. */
  #urlOf({ type, address }: Destination, { kind, id, domainUrl }: Resolved, scanId: string, nowMs: number): string {
    if (type === 'url') return address
    const { keyring } = this.#services
    // The visitor stays on the domain that was scanned.
    const publicUrl = domainUrl ?? this.#services.publicUrl
    if (type !== 'chatbot') return `${publicUrl}${address}?scan=${scanId}`
    return `${publicUrl}${address}?s=${signScan(keyring, address, { scanned: { kind, id }, scanId }, nowMs)}`
  }

  #fail(scan: Exchange, error: unknown): void {
    const { log, responder } = this.#services
    if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, 'a scan failed')
    responder.notice(scan, 'unavailable')
  }
}

/** Why a path that nobody handles has no page. */
function refusalOf(path: string): 'malformed' | 'compressed' | 'unknown' | 'not_found' {
  if (isGs1Path(path) && parseScanAddress(path) === undefined) return 'malformed'
  if (isCompressedLink(path.replace(/^\/(?:g\/[a-z0-9-]{1,63}\/)?/, ''))) return 'compressed'
  return isScanPath(path) ? 'unknown' : 'not_found'
}

/** Whether the address of a domain for unknown codes is unknown itself: then the visitor must not go round in circles. */
const leadsHere = (url: string, host: string, path: string): boolean => {
  const { hostname, pathname, search } = new URL(url)
  return hostname === host && pathname + search === path
}
