import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { noteFailures, noteSuccess } from '../webhooks/index.ts'
import { disabledNotice } from './disabled-notice.ts'

/** Endpoints are disabled after days, so this is often enough, and it batches the failures of a busy endpoint. */
const INTERVAL_MS = SECOND_MS

/** If more endpoints fail, those that have failed for longest are known from the database when they are loaded again. */
const FAILING_MAX = 10_000

/** What happened to an endpoint since the last write. */
interface Recent {
  orgId: OrgId
  endpointId: string
  hasSucceeded: boolean
  /** Since the last success. */
  failures: number
  failingSinceMs: number
}

/** Stores since when each endpoint has been failing, so that one that keeps failing is disabled. */
export class EndpointHealth {
  readonly #database: Database
  readonly #mails: Mails
  readonly #clock: Clock
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  /** Endpoints whose last attempt failed. One that was loaded before this was stored does not know it. */
  readonly #failing = new Set<string>()
  #recent = new Map<string, Recent>()
  #writing = Promise.resolve()

  constructor(database: Database, mails: Mails, clock: Clock, log: Logger) {
    this.#database = database
    this.#mails = mails
    this.#clock = clock
    this.#log = log
    this.#timer = setInterval(() => this.#write(), INTERVAL_MS)
    this.#timer.unref()
  }

  isFailing(endpointId: string): boolean {
    return this.#failing.has(endpointId)
  }

  failed(orgId: OrgId, endpointId: string): void {
    this.#failing.add(endpointId)
    const [first] = this.#failing
    if (this.#failing.size > FAILING_MAX && first !== undefined) this.#failing.delete(first)
    const recent = this.#recentOf(orgId, endpointId)
    if (recent.failures++ === 0) recent.failingSinceMs = this.#clock()
  }

  succeeded(orgId: OrgId, endpointId: string): void {
    this.#failing.delete(endpointId)
    Object.assign(this.#recentOf(orgId, endpointId), { hasSucceeded: true, failures: 0 })
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#write()
    await this.#writing
  }

  #recentOf(orgId: OrgId, endpointId: string): Recent {
    const initial = { orgId, endpointId, hasSucceeded: false, failures: 0, failingSinceMs: 0 }
    const recent = this.#recent.get(endpointId) ?? initial
    this.#recent.set(endpointId, recent)
    return recent
  }

  #write(): void {
    const recent = this.#recent
    this.#recent = new Map()
    this.#writing = this.#writing.then(async () => {
      for (const entry of recent.values()) {
        await this.#note(entry).catch((error) => this.#log.error({ err: error }, 'failed to store endpoint health'))
      }
    })
  }

  async #note({ orgId, endpointId, hasSucceeded, failures, failingSinceMs }: Recent): Promise<void> {
    if (hasSucceeded) await noteSuccess(this.#database, orgId, endpointId)
    if (failures === 0) return
    const recent = { count: failures, since: timestamp(failingSinceMs) }
    const nowMs = this.#clock()
    const notice = disabledNotice(this.#mails, orgId, endpointId, nowMs)
    const isDisabled = await noteFailures(this.#database, orgId, endpointId, recent, notice, timestamp(nowMs))
    if (isDisabled) this.#log.warn({ org_id: orgId, webhook_id: endpointId }, 'disabled an endpoint that kept failing')
  }
}
