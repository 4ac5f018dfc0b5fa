import type { IncomingMessage, ServerResponse } from 'node:http'
import type { StoredScan, VisitorSalt } from '../modules/codes/scans/index.ts'
import { type Clock, timestamp } from '../platform/clock/index.ts'
import { DatabaseUnavailable } from '../platform/db/failures.ts'
import type { Front } from '../platform/http/front.ts'
import { newIdAt, newRequestId } from '../platform/ids/index.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import { addParams } from './add-params.ts'
import { parseScanAddress, type ScanAddress } from './address.ts'
import { decide } from './decide.ts'
import { type NoticeKind, noticePage } from './pages/notice.ts'
import type { Recorder } from './recorder.ts'
import type { Resolved, Resolver } from './resolve.ts'
import { cleanReferrer, hashVisitor, isBot, type Locator, rememberUserAgents, scanQuery } from './visitor/index.ts'

export interface ScanServices {
  resolver: Resolver
  recorder: Recorder
  salt: VisitorSalt
  locate: Locator
  addressOf: (request: IncomingMessage) => string
  publicUrl: string
  clock: Clock
  log: Logger
  /** Measures an answer. It is not logged: the scan itself is kept, and there are too many. */
  observe: (status: number, ms: number) => void
  isClosing: () => boolean
}

/** One scan on its way: resolved, decided, recorded, and only then answered. */
interface Scan {
  request: IncomingMessage
  response: ServerResponse
  address: ScanAddress
  search: string
}

/** So many are resolved and sent on while the others of the turn are still being read: the database need not wait. */
const ARRIVED_MAX = 32

/**
 * The path that phones take. What arrives in one turn of the event loop goes through each step together: between
 * two requests the processor's caches are lost to the network, and what costs 7 µs in a row then costs 60.
 */
export class ScanHandler implements Front {
  readonly #services: ScanServices
  readonly #readUserAgent = rememberUserAgents()
  #arrived: Scan[] = []

  constructor(services: ScanServices) {
    this.#services = services
  }

  take(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    const url = request.url ?? '/'
    const question = url.indexOf('?')
    const address = parseScanAddress(question === -1 ? url : url.slice(0, question))
    if (address === undefined) return false
    const search = question === -1 ? '' : url.slice(question)
    if (this.#arrived.length === 0) setImmediate(this.#resolveArrived)
    this.#arrived.push({ request, response, address, search })
    if (this.#arrived.length === ARRIVED_MAX) this.#resolveArrived()
    return true
  }

  otherwise(request: IncomingMessage, response: ServerResponse): void {
    this.#answerNotice({ request, response }, 'unknown')
  }

  readonly #resolveArrived = () => {
    const scans = this.#arrived
    this.#arrived = []
    const nowMs = this.#services.clock()
    for (const scan of scans) {
      try {
        this.#resolve(scan, nowMs)
      } catch (error) {
        // Nobody above would catch it, and one scan must not cost the others theirs.
        this.#answerFailure(scan, error)
      }
    }
  }

  /** Nearly always everything is in memory, and nobody has to wait. */
  #resolve(scan: Scan, nowMs: number): void {
    const { resolver, salt } = this.#services
    const host = hostOf(scan.request)
    const found = resolver.peek(scan.address, host)
    const today = salt.today(nowMs)
    if (found !== undefined && typeof today === 'string') {
      this.#record(scan, found, today, nowMs)
      return
    }
    Promise.all([found === undefined ? resolver.find(scan.address, host) : found, today])
      .then(([resolved, secret]) => this.#record(scan, resolved, secret, nowMs))
      .catch((error) => this.#answerFailure(scan, error))
  }

  #record(scan: Scan, resolved: Resolved | null, salt: string, nowMs: number): void {
    if (resolved === null) {
      this.#answerNotice(scan, 'unknown')
      return
    }
    const decision = decide(resolved.rule, resolved.group)
    if ('notice' in decision && decision.notice === 'gone') {
      this.#answerNotice(scan, 'gone')
      return
    }
    const query = scanQuery(scan.search)
    const lead = 'lead' in decision ? decision.lead : null
    const row = this.#toRow(scan, resolved, lead, query.stored, salt, nowMs)
    this.#services.recorder.record({ row, announced: resolved.announced }, (failure) => {
      if (failure !== undefined) this.#answerFailure(scan, failure)
      else if ('notice' in decision) this.#answerNotice(scan, decision.notice)
      else this.#redirect(scan, addParams(this.#addressOf(decision.lead, row.id), [...decision.params, query.pairs]))
    })
  }

  #toRow(
    { request, address }: Scan,
    { kind, orgId, id }: Resolved,
    lead: { type: string; id: string | null; address: string } | null,
    query: Record<string, string>,
    salt: string,
    nowMs: number,
  ): StoredScan {
    const { locate, addressOf } = this.#services
    const { headers, method = '' } = request
    const userAgent = this.#readUserAgent(headers['user-agent'])
    const { country, region, city } = locate(headers, () => addressOf(request))
    const { type, os, browser } = userAgent.device
    return {
      org_id: orgId,
      id: newIdAt(nowMs),
      target_kind: kind,
      target_id: id,
      scanned_at: timestamp(nowMs),
      is_bot: isBot({ method, headers, userAgent }),
      visitor: hashVisitor(salt, orgId, addressOf(request), userAgent.text),
      user_agent: userAgent.text,
      device_type: type,
      device_os: os,
      device_browser: browser,
      destination_type: lead?.type ?? null,
      destination_id: lead?.id ?? null,
      destination_url: lead?.type === 'url' ? lead.address : null,
      query_params: isEmpty(query) ? null : query,
      country,
      region,
      city,
      gs1: address.kind === 'product' ? address.gs1 : null,
      referrer: cleanReferrer(headers.referer),
    }
  }

  /** What is ours learns of the scan, so that whatever the visitor does there can be told to belong to it. */
  #addressOf({ type, address }: { type: string; address: string }, scanId: string): string {
    return type === 'url' ? address : `${this.#services.publicUrl}${address}?scan=${scanId}`
  }

  #redirect(scan: Scan, location: string): void {
    this.#send(scan, 302, ['location', location, 'content-length', '0'])
  }

  #answerFailure(scan: Scan, error: unknown): void {
    if (!(error instanceof DatabaseUnavailable)) this.#services.log.error({ err: error }, 'a scan failed')
    this.#answerNotice(scan, 'unavailable')
  }

  #answerNotice(scan: Pick<Scan, 'request' | 'response'>, kind: NoticeKind): void {
    const { status, language, html } = noticePage(kind, scan.request.headers['accept-language'])
    const headers = [...PAGE_HEADERS, 'content-language', language, 'content-length', String(html.length)]
    if (kind === 'unavailable') headers.push('retry-after', '5')
    this.#send(scan, status, headers, html)
  }

  #send(
    { request, response }: Pick<Scan, 'request' | 'response'>,
    status: number,
    headers: string[],
    body?: Buffer,
  ): void {
    const { observe, isClosing } = this.#services
    const requestId = newRequestId()
    headers.push('cache-control', 'no-store', 'x-robots-tag', 'noindex', 'x-request-id', requestId)
    if (isClosing()) headers.push('connection', 'close')
    response.writeHead(status, headers)
    response.end(request.method === 'HEAD' ? undefined : body)
    observe(status, performance.now() - request.arrivedMs)
  }
}

const PAGE_HEADERS = [
  'content-type',
  'text/html; charset=utf-8',
  'content-security-policy',
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'x-content-type-options',
  'nosniff',
  'vary',
  'accept-language',
]

/** Without the port, in lower case. */
function hostOf({ headers: { host = '' } }: IncomingMessage): string {
  const name = host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]
  return (name ?? '').toLowerCase()
}

function isEmpty(query: object): boolean {
  for (const _ in query) return false
  return true
}
