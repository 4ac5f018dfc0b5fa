import type { LoopTurns } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { OutboundClient } from '../../../platform/outbound/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { selectDue, selectWaiting } from '../webhook-deliveries/index.ts'
import { loadEndpoints } from '../webhooks/index.ts'
import { DueOrganisations } from './due-organisations.ts'
import { FanOut } from './fan-out.ts'
import type { Job, OrganisationQueue } from './organisation-queue.ts'
import { Outcomes } from './outcomes.ts'
import { send } from './send.ts'

export interface DeliveryServices {
  database: Database
  keyring: Keyring
  mails: Mails
  outbound: OutboundClient
  turns: LoopTurns
  clock: Clock
  log: Logger
  metrics: Pick<Metrics, 'registry'>
  /** A second, if it is undefined. */
  pollMs?: number | undefined
}

/** Across all organisations. More would only compete for the same CPU. */
const IN_FLIGHT_MAX = 1024
/** The timeout of an attempt plus a margin. No attempt starts that could end after the lease. */
const ATTEMPT_MS = 16 * SECOND_MS
/** Attempts to start per turn of the event loop. A request to the API needs several turns, so they must stay short. */
const STARTS_PER_TURN = 4
/**
 * The pause after them while there are requests: most of the main thread is for those. While these are requests of other
 * organisations, an organisation starts one attempt at most before each pause: 250 a second.
 */
const PAUSE_MS = 4
const CLOSE_MS = 5 * SECOND_MS

/**
 * Sends due deliveries of the organisations that this worker leases.
 *
 * States of a delivery:
 * - waiting → buffered: read ahead from the database into an endpoint queue.
 * - buffered → in flight: an attempt started.
 * - in flight → outcome stored: it is then delivered, failed, or waiting for a retry.
 * - buffered → waiting: the lease was lost or the endpoint paused.
 *
 * After a crash, every delivery without a stored outcome is waiting, and is sent again under the same ID.
 */
export class Dispatcher {
  readonly #services: DeliveryServices
  readonly #outcomes: Outcomes
  readonly #fanOut: FanOut
  readonly #organisations: DueOrganisations
  /** Organisations that may have something to send. They take turns. */
  readonly #ready = new Set<OrganisationQueue>()
  readonly #inFlight = new Set<Promise<void>>()
  #isScheduled = false
  #isClosing = false
  #isAborted = false

  constructor(services: DeliveryServices) {
    this.#services = services
    this.#outcomes = new Outcomes(services)
    this.#fanOut = new FanOut(services, (organisation) => this.#wake(organisation))
    this.#organisations = new DueOrganisations(services, (organisation) => this.#wake(organisation))
  }

  /** Waits a few seconds for attempts in flight, then releases the leases. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#organisations.close()
    await this.#fanOut.close()
    await Promise.race([Promise.all(this.#inFlight), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    this.#isAborted = true
    await this.#outcomes.close()
    await this.#organisations.releaseLeases()
  }

  #wake(organisation: OrganisationQueue): void {
    this.#ready.add(organisation)
    this.#schedule()
  }

  /** Starts a few attempts soon, and goes on as long as there are more. */
  #schedule(withPause = this.#services.turns.isInUse): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    if (withPause) setTimeout(() => this.#startSome(), PAUSE_MS)
    else setImmediate(() => this.#startSome())
  }

  #startSome(): void {
    this.#isScheduled = false
    const paused: OrganisationQueue[] = []
    let started: OrganisationQueue | undefined
    for (let n = 0; n < STARTS_PER_TURN; n++) {
      started = this.#startNext()
      if (started === undefined) break
      if (this.#services.turns.isShared(started.orgId)) paused.push(started)
      // This adds it at the end of the set: the others come first.
      else this.#ready.add(started)
    }
    for (const organisation of paused) this.#ready.add(organisation)
    if (paused.length > 0) this.#schedule(true)
    else if (started !== undefined) this.#schedule()
  }

  /**
   * Returns the organisation whose attempt has started. Undefined if the limits allow none, or there is nothing to send.
   * Organisations take turns.
   */
  #startNext(): OrganisationQueue | undefined {
    for (const organisation of this.#ready) {
      if (this.#isClosing || this.#inFlight.size >= IN_FLIGHT_MAX || this.#outcomes.isFull) return undefined
      this.#ready.delete(organisation)
      if (organisation.leasedUntilMs - this.#services.clock() < ATTEMPT_MS) continue
      if (organisation.needsRefill) this.#refill(organisation)
      const job = organisation.next()
      if (job === undefined) continue
      const attempt = this.#attempt(organisation, job).finally(() => {
        this.#inFlight.delete(attempt)
        this.#wake(organisation)
      })
      this.#inFlight.add(attempt)
      return organisation
    }
    return undefined
  }

  #refill(organisation: OrganisationQueue): void {
    const { database, keyring, clock, log } = this.#services
    const { orgId } = organisation
    const { read } = database
    organisation
      .refill({
        endpoints: () => loadEndpoints(read, keyring, orgId, clock()),
        lanes: async () => {
          const { lanes, needsFanOut } = await selectDue(read, orgId, timestamp(clock()))
          if (needsFanOut) this.#fanOut.add(organisation)
          return lanes
        },
        read: (endpointId, lane, limit) => selectWaiting(read, orgId, endpointId, lane, timestamp(clock()), limit),
      })
      .then(
        () => this.#wake(organisation),
        // The next poll wakes the organisation again.
        (error: unknown) => log.error({ err: error, org_id: orgId }, 'failed to read waiting deliveries'),
      )
  }

  async #attempt(organisation: OrganisationQueue, job: Job): Promise<void> {
    const outcome = await send(this.#services, job.endpoint, job.delivery)
    // The service is shutting down and aborts attempts in flight. That is not a failure of the receiver.
    if (this.#isAborted) return
    await this.#outcomes.record(organisation, job, outcome, () => this.#wake(organisation))
  }
}
