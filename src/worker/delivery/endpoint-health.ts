import { noteFailures, noteSuccess } from '../../modules/webhooks/webhooks/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'

/** Often enough for a rule about days; seldom enough for an endpoint that fails now and then under load. */
const INTERVAL_MS = SECOND_MS

/** What happened to an endpoint since it was last written down. */
interface Recent {
  orgId: OrgId
  endpointId: string
  hasSucceeded: boolean
  /** Since it last succeeded. */
  failures: number
  failingSinceMs: number
}

/** Keeps with each endpoint since when nothing but failures came back, so that one that fails without end is given up. */
export class EndpointHealth {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  #recent = new Map<string, Recent>()
  #writing = Promise.resolve()

  constructor(database: Database, clock: Clock, log: Logger) {
    this.#database = database
    this.#clock = clock
    this.#log = log
    this.#timer = setInterval(() => this.#write(), INTERVAL_MS)
    this.#timer.unref()
  }

  failed(orgId: OrgId, endpointId: string): void {
    const recent = this.#of(orgId, endpointId)
    if (recent.failures++ === 0) recent.failingSinceMs = this.#clock()
  }

  succeeded(orgId: OrgId, endpointId: string): void {
    Object.assign(this.#of(orgId, endpointId), { hasSucceeded: true, failures: 0 })
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#write()
    await this.#writing
  }

  #of(orgId: OrgId, endpointId: string): Recent {
    const none = { orgId, endpointId, hasSucceeded: false, failures: 0, failingSinceMs: 0 }
    const recent = this.#recent.get(endpointId) ?? none
    this.#recent.set(endpointId, recent)
    return recent
  }

  #write(): void {
    const recent = this.#recent
    this.#recent = new Map()
    this.#writing = this.#writing.then(async () => {
      for (const one of recent.values()) {
        await this.#note(one).catch((error) => this.#log.error({ err: error }, 'how an endpoint fares was not stored'))
      }
    })
  }

  async #note({ orgId, endpointId, hasSucceeded, failures, failingSinceMs }: Recent): Promise<void> {
    if (hasSucceeded) await noteSuccess(this.#database, orgId, endpointId)
    if (failures === 0) return
    const noted = { count: failures, since: timestamp(failingSinceMs) }
    const isGivenUp = await noteFailures(this.#database, orgId, endpointId, noted, timestamp(this.#clock()))
    if (isGivenUp)
      this.#log.warn({ org_id: orgId, webhook_id: endpointId }, 'an endpoint that only failed was disabled')
  }
}
