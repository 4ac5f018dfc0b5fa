import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Listener } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { EVENTS_TOPIC } from '../../../platform/outbox/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { selectDue, selectDueOrganisations } from '../webhook-deliveries/index.ts'
import { ENDPOINTS_TOPIC } from '../webhooks/index.ts'
import { Leases } from './leases.ts'
import type { OrganisationQueue } from './organisation-queue.ts'

interface DueServices {
  database: Database
  clock: Clock
  log: Logger
  pollMs?: number | undefined
}

/** Polling finds what is not announced: retries, and changes announced while the connection was interrupted. */
const POLL_MS = SECOND_MS
/** Polling takes at most this share of the time, however many endpoints there are. */
const POLL_SHARE = 0.1
const RENEW_MS = 2 * SECOND_MS

/** Finds organisations with due deliveries, by announcement and by polling, leases them and wakes the dispatcher. */
export class DueOrganisations {
  readonly #services: DueServices
  /** Called with a leased organisation that may have something to send. */
  readonly #wake: (organisation: OrganisationQueue) => void
  readonly #leases: Leases
  /** Announced, but not leased by this worker. */
  readonly #announced = new Set<OrgId>()
  readonly #stopListening: () => void
  readonly #renewTimer: NodeJS.Timeout
  #pollTimer: NodeJS.Timeout | undefined
  /** Everything that touches the leases runs one after the other. */
  #lastTask: Promise<void> = Promise.resolve()
  #isListening = false
  /** An outage is logged once, not every second. */
  #hasFailed = false
  #isClosing = false

  constructor(services: DueServices, wake: (organisation: OrganisationQueue) => void) {
    const { database, clock } = services
    this.#services = services
    this.#wake = wake
    this.#leases = new Leases(database)
    this.#stopListening = database.listen(this.#listener())
    this.#renewTimer = setInterval(() => this.#inTurn(() => this.#leases.renew(clock())), RENEW_MS)
    this.#renewTimer.unref()
    this.#inTurn(() => this.#leases.clearCrashed())
    this.#poll()
  }

  /** Takes and renews no more leases. Keeps those it has, for the attempts in flight. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    clearTimeout(this.#pollTimer)
    clearInterval(this.#renewTimer)
    await this.#lastTask
  }

  /** Call it after `close`. Other workers can then take over. */
  releaseLeases(): Promise<void> {
    return this.#inTurn(() => this.#leases.releaseAll())
  }

  #listener(): Listener {
    return {
      changed: (topic, key) => {
        const organisation = this.#leases.get(key as OrgId)
        if (topic === ENDPOINTS_TOPIC) organisation?.endpointsChanged()
        else if (topic !== EVENTS_TOPIC) return
        if (organisation === undefined) this.#checkAnnounced(key as OrgId)
        else {
          organisation.checkForMore()
          this.#wake(organisation)
        }
      },
      interrupted: () => {
        this.#isListening = false
      },
      resumed: () => {
        this.#isListening = true
      },
    }
  }

  /** Organisations announced before the task starts are checked together. */
  #checkAnnounced(orgId: OrgId): void {
    if (this.#isClosing) return
    this.#announced.add(orgId)
    if (this.#announced.size > 1) return
    this.#inTurn(async () => {
      const { database, clock } = this.#services
      const announced = [...this.#announced]
      this.#announced.clear()
      const now = timestamp(clock())
      const due: OrgId[] = []
      for (const id of announced) {
        const { lanes, needsFanOut } = await selectDue(database.read, id, now)
        if (lanes.length > 0 || needsFanOut) due.push(id)
      }
      await this.#lease(due)
    })
  }

  #poll(): void {
    const startedMs = performance.now()
    this.#inTurn(async () => {
      const { database, clock } = this.#services
      const due = await selectDueOrganisations(database.readLong, timestamp(clock()))
      await this.#lease(due)
      await this.#leases.releaseIdle(clock())
    }).then(() => {
      if (this.#isClosing) return
      const { pollMs = POLL_MS } = this.#services
      const durationMs = performance.now() - startedMs
      this.#pollTimer = setTimeout(() => this.#poll(), Math.max(pollMs, durationMs / POLL_SHARE)).unref()
    })
  }

  async #lease(due: readonly OrgId[]): Promise<void> {
    if (this.#isClosing) return
    const nowMs = this.#services.clock()
    await this.#leases.take(due, nowMs)
    for (const orgId of due) {
      const organisation = this.#leases.get(orgId)
      if (organisation === undefined) continue
      // Without announcements, an endpoint may have changed unnoticed.
      if (!this.#isListening) organisation.endpointsChanged()
      organisation.checkForMore()
      organisation.activeAtMs = nowMs
      this.#wake(organisation)
    }
  }

  /** A failure must not stop later tasks. The next poll finds the same work again. */
  #inTurn(task: () => Promise<void>): Promise<void> {
    this.#lastTask = this.#lastTask.then(task).then(
      () => {
        this.#hasFailed = false
      },
      (error: unknown) => {
        if (!this.#hasFailed) this.#services.log.error({ err: error }, 'failed to look for due deliveries')
        this.#hasFailed = true
      },
    )
    return this.#lastTask
  }
}
