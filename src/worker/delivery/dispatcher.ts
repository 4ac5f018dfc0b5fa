import { type AttemptRow, selectWaiting, selectWaitingLanes } from '../../modules/webhooks/webhook-deliveries/index.ts'
import { disableEndpoint, loadEndpoints } from '../../modules/webhooks/webhooks/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { Keyring } from '../../platform/keyring/index.ts'
import type { OutboundClient } from '../../platform/outbound/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'
import { AttemptLog } from './attempt-log.ts'
import { decide } from './decide.ts'
import { EndpointHealth } from './endpoint-health.ts'
import { Leases } from './leases.ts'
import type { Job, OrganisationQueue } from './organisation-queue.ts'
import { type Outcome, send } from './send.ts'

export interface DeliveryServices {
  database: Database
  keyring: Keyring
  outbound: OutboundClient
  clock: Clock
  log: Logger
  metrics: Pick<Metrics, 'webhookAttempts'>
}

/** Over all organisations; more would only wait for the same processor. */
const IN_FLIGHT_MAX = 1024
/** What an attempt takes at most, and a little: nothing is begun that could end after the lease. */
const ATTEMPT_MS = 16 * SECOND_MS
const CLOSE_MS = 5 * SECOND_MS

/**
 * Sends what waits, for the organisations that this worker has leases on.
 *
 * A delivery: waiting (in the database) → taken (read ahead) → in flight → its outcome stored, by which it is
 * delivered, failed, or waiting again. After a crash everything that was not stored is waiting, and is sent again
 * under the same id.
 */
export class Dispatcher {
  readonly #services: DeliveryServices
  readonly #attempts: AttemptLog
  readonly #health: EndpointHealth
  readonly #leases: Leases
  /** Those that may have something to send, each in its turn. */
  readonly #ready = new Set<OrganisationQueue>()
  readonly #inFlight = new Set<Promise<void>>()
  #isClosing = false
  #isBrokenOff = false

  constructor(services: DeliveryServices) {
    this.#services = services
    const { database, clock, log } = services
    this.#attempts = new AttemptLog(database, log)
    this.#health = new EndpointHealth(database, clock, log)
    this.#leases = new Leases(services, (organisation) => this.#wake(organisation))
  }

  /** Lets what is in flight end, for a while, and everybody else have the rest. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#leases.close()
    await Promise.race([Promise.all(this.#inFlight), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    this.#isBrokenOff = true
    await this.#attempts.close()
    await this.#health.close()
    await this.#leases.release()
  }

  #wake(organisation: OrganisationQueue): void {
    this.#ready.add(organisation)
    this.#pump()
  }

  /** Starts what may be started: one of each organisation in turn. */
  #pump(): void {
    for (const organisation of this.#ready) {
      if (this.#isClosing || this.#inFlight.size >= IN_FLIGHT_MAX || this.#attempts.isFull) return
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
      // To the end, where this loop meets it again.
      this.#ready.add(organisation)
    }
  }

  #refill(organisation: OrganisationQueue): void {
    const { database, keyring, clock, log } = this.#services
    const { orgId } = organisation
    const { read } = database
    organisation
      .refill({
        endpoints: () => loadEndpoints(read, keyring, orgId, clock()),
        lanes: () => selectWaitingLanes(read, orgId, timestamp(clock())),
        read: (endpointId, lane, limit) => selectWaiting(read, orgId, endpointId, lane, timestamp(clock()), limit),
      })
      .then(
        () => this.#wake(organisation),
        // The next look finds it again.
        (error: unknown) => log.error({ err: error, org_id: orgId }, 'what waits for delivery could not be read'),
      )
  }

  async #attempt(organisation: OrganisationQueue, job: Job): Promise<void> {
    const outcome = await send(this.#services, job.endpoint, job.delivery)
    // Broken off by us, and no fault of the receiver's.
    if (this.#isBrokenOff) return
    const { clock, metrics } = this.#services
    const { orgId } = organisation
    const number = job.delivery.attempt_count + 1
    const isTest = job.lane === 'test'
    const decision = decide({ number, isTest, ...outcome }, Math.random())
    const isDelivered = decision.status === 'delivered'
    metrics.webhookAttempts.inc({ status: decision.status })
    organisation.activeAtMs = clock()
    organisation.ended(job, isDelivered)
    this.#attempts.record(
      {
        ...toRow(orgId, job, number, outcome),
        status_after: decision.status,
        next_attempt_at: decision.status === 'pending' ? timestamp(clock() + decision.delayMs) : null,
      },
      () => {
        job.queue.stored(job.delivery.id)
        this.#wake(organisation)
      },
    )
    if (isTest) return
    this.#follow(orgId, job, isDelivered)
    if (!isDelivered && decision.isGone) await this.#disable(orgId, job)
  }

  /** Only a change from well to ill and back is worth writing down, and how long it is ill. */
  #follow(orgId: OrgId, { endpoint }: Job, isDelivered: boolean): void {
    if (!isDelivered) this.#health.failed(orgId, endpoint.id)
    else if (endpoint.isFailing) this.#health.succeeded(orgId, endpoint.id)
    endpoint.isFailing = !isDelivered
  }

  async #disable(orgId: OrgId, { endpoint }: Job): Promise<void> {
    const { database, clock, log } = this.#services
    const reason = 'The receiver answered 410 Gone.'
    await disableEndpoint(database, orgId, endpoint.id, endpoint.url, reason, timestamp(clock())).catch(
      (error: unknown) =>
        log.error({ err: error, org_id: orgId, webhook_id: endpoint.id }, 'an endpoint that is gone was not disabled'),
    )
  }
}

const toRow = (
  orgId: OrgId,
  { endpoint, delivery }: Job,
  number: number,
  outcome: Outcome,
): Omit<AttemptRow, 'status_after' | 'next_attempt_at'> => ({
  org_id: orgId,
  endpoint_id: endpoint.id,
  delivery_id: delivery.id,
  number,
  started_at: timestamp(outcome.startedAtMs),
  duration_ms: outcome.durationMs,
  response_status: outcome.responseStatus,
  error: outcome.error,
  response_body: outcome.responseBody,
})
