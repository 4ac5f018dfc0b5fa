import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../../platform/clock/index.ts'
import { hostOf } from '../../../platform/http/server/host.ts'
import {
  READ_METHODS,
  type RequestHandler,
  type UnhandledRequests,
} from '../../../platform/http/server/request-handler.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { SLUG_PATTERN } from '../scan-targets/index.ts'
import type { VisitorSalt } from '../scans/index.ts'
import { isGs1Address, parseScanAddress, type ScanAddress } from './address.ts'
import { decide, type Situation, situationAt } from './decide.ts'
import { toFacts } from './facts.ts'
import { decideOrAnswerLink } from './gs1/answer-link.ts'
import { parseCompressed } from './gs1/compressed.ts'
import { gs1Headers, METHODS_HEADER, toSameAsHeader } from './gs1/index.ts'
import { showFailure, showNotice } from './notices.ts'
import type { Senders } from './pages/senders.ts'
import type { ScanRecorder } from './recorder.ts'
import { type IsOpen, redirectIfOpen } from './redirect.ts'
import type { Resolved, Resolver } from './resolve.ts'
import type { Responder, ScanRequest } from './respond.ts'
import type { ScanNumbers } from './scan-numbers.ts'
import { scanQuery } from './scan-query.ts'
import type { ScanRowBuilder } from './scan-row.ts'
import { type ShowPage, showScannedPage } from './show-page.ts'
import { showNotFound, showUnknown } from './unknown.ts'

interface ScanServices {
  resolver: Resolver
  hosts: PublicHosts
  recorder: ScanRecorder
  rows: ScanRowBuilder
  numbers: ScanNumbers
  responder: Responder
  salt: VisitorSalt
  senders: Senders
  showPage: ShowPage
  isOpen: IsOpen
  keyring: Keyring
  publicUrl: string
  appUrl: string
  clock: Clock
  log: Logger
}

interface Scan extends ScanRequest {
  address: ScanAddress
  search: string
}

/** A batch this large is resolved before the rest of the tick's requests are read, so the database gets work early. */
const ARRIVED_MAX = 32

/**
 * Takes scans through their steps: resolve, decide, record, and only then respond. Requests that arrive in one tick of
 * the event loop go through each step together. Reading a request from the network evicts our code and data from the
 * processor's caches: work that costs 7 µs when run back to back costs 60 µs when interleaved with network reads.
 */
export class ScanHandler implements RequestHandler, UnhandledRequests {
  readonly #services: ScanServices
  #arrived: Scan[] = []

  constructor(services: ScanServices) {
    this.#services = services
  }

  tryHandle(request: IncomingMessage, response: ServerResponse): boolean {
    const { method } = request
    if (method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS') return false
    const { path, search } = splitUrl(request)
    const address = parseScanAddress(path, () => this.#services.hosts.isKnownToShowAll(hostOf(request)))
    const scan =
      address === undefined
        ? toPlainScan({ request, response })
        : { request, response, headers: isGs1Address(address) ? gs1Headers(address) : undefined, address, search }
    if (scan === undefined) return false
    if (method === 'OPTIONS') {
      // Only a look-up could tell whether there is a code that looks like a compressed link.
      const headers = scan.headers ?? toPlainScan(scan)?.headers
      if (headers !== undefined) {
        this.#services.responder.noContent({ request, response, headers: [...headers, ...METHODS_HEADER] })
      }
      return headers !== undefined
    }
    if (this.#arrived.length === 0) setImmediate(this.#resolveArrived)
    this.#arrived.push(scan)
    if (this.#arrived.length === ARRIVED_MAX) this.#resolveArrived()
    return true
  }

  methodsOf(path: string): readonly string[] {
    const address = parseScanAddress(path, () => true) ?? parseCompressed(path)?.address
    // A word may be the address of a code, but nobody knows that without looking it up.
    if (address === undefined || isWord(address)) return []
    return isGs1Address(address) ? [...READ_METHODS, 'OPTIONS'] : READ_METHODS
  }

  methodNotAllowed(request: IncomingMessage, response: ServerResponse, allowed: string): void {
    this.#services.responder.notice({ request, response, headers: ['allow', allowed] }, 'not_found', {
      otherStatus: 405,
    })
  }

  notFound(request: IncomingMessage, response: ServerResponse): void {
    showNotFound(this.#services, { request, response })
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
        showFailure(this.#services, scan, error)
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
      .catch((error) => showFailure(this.#services, scan, error))
  }

  #record(scan: Scan, resolved: Resolved | null, salt: string, nowMs: number): void {
    const { numbers } = this.#services
    if (resolved === null) {
      // A code that somebody chose can look like a compressed link, and comes first: it may be in print.
      const plain = scan.address.kind === 'qr_code' ? toPlainScan(scan) : undefined
      if (plain !== undefined) this.#resolve(plain, nowMs)
      else if (isWord(scan.address)) showNotFound(this.#services, scan, true)
      else showUnknown(this.#services, scan, 'unknown', true)
      return
    }
    const situation = situationAt(resolved, nowMs)
    const missing = numbers.missing(resolved, situation)
    if (missing !== undefined) {
      // A scan whose number cannot be loaded is decided without it.
      missing
        .catch(() => {})
        .then(() => this.#decide(scan, resolved, situation, salt, nowMs))
        .catch((error) => showFailure(this.#services, scan, error))
    } else this.#decide(scan, resolved, situation, salt, nowMs)
  }

  #decide(scan: Scan, resolved: Resolved, situation: Situation, salt: string, nowMs: number): void {
    const { rows, recorder, numbers } = this.#services
    const query = scanQuery(scan.search)
    const visit = rows.observe(scan.request, resolved, salt)
    const facts = () => toFacts(scan, resolved, visit, { query, salt, nowMs, numbers })
    const decision = isGs1Address(scan.address)
      ? decideOrAnswerLink(this.#services, scan, scan.address, resolved, { situation, facts, pairs: query.pairs })
      : decide(situation, facts)
    if (decision === undefined) return
    if ('notice' in decision && decision.notice === 'gone') {
      showNotice(this.#services, scan, 'gone', resolved)
      return
    }
    const { setup } = situation
    const row = rows.build(scan, resolved, { setup, visit, decision, query, nowMs })
    if (!visit.isBot) numbers.note(resolved, row.id)
    // A scan that is lost leads to its destination all the same: somebody stands in front of a machine (ADR 8).
    recorder.record({ row, announced: resolved.hasSubscribers }, () => {
      if ('notice' in decision) showNotice(this.#services, scan, decision.notice, resolved)
      else if (decision.destination.type === 'page') {
        const given = Object.fromEntries([...decision.params.flat(), ...Object.entries(query.passedOn)])
        showScannedPage(this.#services, scan, resolved, decision.destination, row.id, given)
      } else redirectIfOpen(this.#services, scan, resolved, decision, query.pairs, { id: row.id, nowMs })
    })
  }
}

/** Words are mostly typed, not scanned. */
const isWord = (address: ScanAddress): boolean => address.kind === 'qr_code' && !SLUG_PATTERN.test(address.slug)

function splitUrl({ url = '/' }: IncomingMessage): { path: string; search: string } {
  const queryAt = url.indexOf('?')
  return queryAt === -1 ? { path: url, search: '' } : { path: url.slice(0, queryAt), search: url.slice(queryAt) }
}

/** The scan of a compressed link is that of the plain one, whose attributes come before what the visitor brought. */
function toPlainScan({ request, response }: ScanRequest): Scan | undefined {
  const { path, search } = splitUrl(request)
  const plain = parseCompressed(path)
  if (plain === undefined) return undefined
  const { address } = plain
  const headers = [...gs1Headers(address), 'link', toSameAsHeader(plain.path + plain.search)]
  const joined = plain.search === '' ? search : `${plain.search}${search.replace('?', '&')}`
  return { request, response, headers, address, search: joined }
}
