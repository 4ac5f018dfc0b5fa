import type { LoopTurns } from '../../../platform/bounded/index.ts'
import type { Clock } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { PacedWriter } from '../../../platform/jobs/paced-writer.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { createDeliveries } from '../webhook-deliveries/index.ts'
import type { OrganisationQueue } from './organisation-queue.ts'

interface FanOutServices {
  database: Database
  turns: LoopTurns
  clock: Clock
  log: Logger
}

/** Deliveries per transaction. Small, so that other organisations can write in between. */
const DELIVERIES_MAX = 125
/** The rest after a transaction. Five thousand deliveries a second are as many as can be sent. */
const REST_MS = 20
/** The rest of an organisation while others send requests: as many deliveries as the dispatcher then sends for it. */
const SHARED_REST_MS = 500

/**
 * Creates the deliveries of events from large batches, one small transaction after the other. Organisations take turns.
 * A transaction that was not committed before a crash is repeated.
 */
export class FanOut {
  readonly #services: FanOutServices
  readonly #writer: PacedWriter
  /** Called when an organisation has new deliveries. */
  readonly #wake: (organisation: OrganisationQueue) => void
  readonly #waiting = new Set<OrganisationQueue>()
  readonly #resting = new Set<OrganisationQueue>()
  #running: Promise<void> | undefined
  #isClosing = false

  constructor(services: FanOutServices, wake: (organisation: OrganisationQueue) => void) {
    this.#services = services
    this.#writer = new PacedWriter(services.database, services.turns)
    this.#wake = wake
  }

  /** Runs one transaction for the organisation. If that is not enough, the dispatcher adds it again. */
  add(organisation: OrganisationQueue): void {
    if (this.#resting.has(organisation)) return
    this.#waiting.add(organisation)
    this.#running ??= this.#run()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    await this.#running
  }

  async #run(): Promise<void> {
    for (const organisation of this.#waiting) {
      if (this.#isClosing) break
      this.#waiting.delete(organisation)
      await this.#createSome(organisation)
    }
    this.#running = undefined
  }

  async #createSome(organisation: OrganisationQueue): Promise<void> {
    const { turns, clock, log } = this.#services
    const { orgId } = organisation
    try {
      await this.#writer.write(orgId, (tx) => createDeliveries(tx, orgId, DELIVERIES_MAX), REST_MS)
    } catch (error) {
      // The next poll finds the organisation again.
      log.error({ err: error, org_id: orgId }, 'failed to create deliveries')
      return
    }
    organisation.activeAtMs = clock()
    if (turns.isShared(orgId)) this.#rest(organisation)
    this.#lookForMore(organisation)
  }

  #rest(organisation: OrganisationQueue): void {
    this.#resting.add(organisation)
    setTimeout(() => {
      this.#resting.delete(organisation)
      this.#lookForMore(organisation)
    }, SHARED_REST_MS).unref()
  }

  #lookForMore(organisation: OrganisationQueue): void {
    organisation.checkForMore()
    this.#wake(organisation)
  }
}
