import {
  type AttemptRow,
  clearLeases,
  releaseLeases,
  renewLeases,
  selectDueOrganisations,
  selectWaiting,
  selectWaitingLanes,
  takeLeases,
} from '../../modules/webhook-deliveries/index.ts'
import { disableEndpoint, ENDPOINTS_TOPIC, loadEndpoints } from '../../modules/webhooks/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../platform/clock.ts'
import type { Database, Listener } from '../../platform/db/index.ts'
import { newId, type OrgId } from '../../platform/ids.ts'
import type { Keyring } from '../../platform/keyring.ts'
import type { Logger } from '../../platform/logging.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { OutboundClient } from '../../platform/outbound/index.ts'
import { EVENTS_TOPIC } from '../../platform/outbox.ts'
import { AttemptLog } from './attempt-log.ts'
import { decide } from './decide.ts'
import { EndpointHealth } from './endpoint-health.ts'
import { type Job, OrganisationQueue } from './organisation-queue.ts'
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
/** What nobody announced is found this late: retries, and whatever was announced while nobody listened. */
const POLL_MS = SECOND_MS
/** A look at all endpoints takes at most this share of the time, however many there are. */
const POLL_SHARE = 0.1
const LEASE_MS = 20 * SECOND_MS
const RENEW_MS = 2 * SECOND_MS
/** What an attempt takes at most, and a little: nothing is begun that could end after the lease. */
const ATTEMPT_MS = 16 * SECOND_MS
/** How long an organisation is kept without anything to do: a lease costs two writes. */
const IDLE_MS = 10 * SECOND_MS
const CLOSE_MS = 5 * SECOND_MS

/**
 * Sends what waits. Several workers share the organisations: each has a lease on some, and only it sends for those, so
 * that what may be in flight is counted in one place, and a delivery needs no claim of its own.
 *
 * A delivery: waiting (in the database) → taken (read ahead) → in flight → its outcome stored, by which it is
 * delivered, failed, or waiting again. After a crash everything that was not stored is waiting, and is sent again
 * under the same id.
 * An organisation: unknown → leased → idle for a while → let go. A lease that could not be renewed is lost; what is
 * in flight under it ends before it does.
 */
export class Dispatcher {
  readonly #services: DeliveryServices
  readonly #holder = newId()
  readonly #attempts: AttemptLog
  readonly #health: EndpointHealth
  readonly #organisations = new Map<OrgId, OrganisationQueue>()
  /** Those that may have something to send, each in its turn. */
  readonly #ready = new Set<OrganisationQueue>()
  readonly #inFlight = new Set<Promise<void>>()
  readonly #heard = new Set<OrgId>()
  readonly #stopListening: () => void
  readonly #renewTimer: NodeJS.Timeout
  #pollTimer: NodeJS.Timeout | undefined
  /** Leases are taken, renewed and let go one after the other. */
  #leasing: Promise<void> = Promise.resolve()
  #isTold = false
  /** Said once, and not every second. */
  #isAway = false
  #isClosing = false
  #isBrokenOff = false

  constructor(services: DeliveryServices) {
    this.#services = services
    const { database, clock, log } = services
    this.#attempts = new AttemptLog(database, log)
    this.#health = new EndpointHealth(database, clock, log)
    this.#stopListening = database.listen(this.#listener())
    this.#renewTimer = setInterval(() => this.#inTurn(() => this.#renew()), RENEW_MS)
    this.#renewTimer.unref()
    // There is no other process whose lease it could be; the one before this ended without letting go.
    if (database.engine === 'sqlite') this.#inTurn(() => clearLeases(database))
    this.#poll()
  }

  /** Lets what is in flight end, for a while, and everybody else have the rest. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    clearTimeout(this.#pollTimer)
    clearInterval(this.#renewTimer)
    await this.#leasing
    await Promise.race([Promise.all(this.#inFlight), new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())])
    this.#isBrokenOff = true
    await this.#attempts.close()
    await this.#health.close()
    await this.#inTurn(() => releaseLeases(this.#services.database, this.#holder, [...this.#organisations.keys()]))
  }

  #listener(): Listener {
    return {
      changed: (topic, key) => {
        const known = this.#organisations.get(key as OrgId)
        if (topic === ENDPOINTS_TOPIC) known?.endpointsChanged()
        else if (topic !== EVENTS_TOPIC) return
        if (known === undefined) this.#hear(key as OrgId)
        else {
          known.lookAgain()
          this.#wake(known)
        }
      },
      interrupted: () => {
        this.#isTold = false
      },
      resumed: () => {
        this.#isTold = true
      },
    }
  }

  /** Somebody else's organisation, or one that nobody has: those that are heard of in one breath are looked at together. */
  #hear(orgId: OrgId): void {
    if (this.#isClosing) return
    this.#heard.add(orgId)
    if (this.#heard.size > 1) return
    this.#inTurn(async () => {
      const { database, clock } = this.#services
      const heard = [...this.#heard]
      this.#heard.clear()
      const now = timestamp(clock())
      const due: OrgId[] = []
      for (const one of heard) if ((await selectWaitingLanes(database.read, one, now)).length > 0) due.push(one)
      await this.#lease(due)
    })
  }

  #poll(): void {
    const began = performance.now()
    this.#inTurn(async () => {
      const { database, clock } = this.#services
      const due = await selectDueOrganisations(database.readLong, timestamp(clock()))
      await this.#lease(due)
      await this.#letIdleGo()
    }).then(() => {
      if (this.#isClosing) return
      const took = performance.now() - began
      this.#pollTimer = setTimeout(() => this.#poll(), Math.max(POLL_MS, took / POLL_SHARE)).unref()
    })
  }

  async #lease(due: readonly OrgId[]): Promise<void> {
    if (this.#isClosing) return
    const { database, clock } = this.#services
    const nowMs = clock()
    const free = due.filter((orgId) => (this.#organisations.get(orgId)?.leasedUntilMs ?? 0) <= nowMs)
    if (free.length > 0) {
      for (const orgId of await takeLeases(
        database,
        this.#holder,
        free,
        timestamp(nowMs),
        timestamp(nowMs + LEASE_MS),
      )) {
        const organisation = this.#organisations.get(orgId) ?? new OrganisationQueue(orgId)
        organisation.giveBack()
        organisation.leasedUntilMs = nowMs + LEASE_MS
        this.#organisations.set(orgId, organisation)
      }
    }
    for (const orgId of due) {
      const organisation = this.#organisations.get(orgId)
      if (organisation === undefined) continue
      // Whoever cannot be told that an endpoint changed has to look.
      if (!this.#isTold) organisation.endpointsChanged()
      organisation.lookAgain()
      organisation.activeAtMs = nowMs
      this.#wake(organisation)
    }
  }

  async #renew(): Promise<void> {
    if (this.#organisations.size === 0) return
    const { database, clock } = this.#services
    const nowMs = clock()
    const held = new Set(await renewLeases(database, this.#holder, timestamp(nowMs), timestamp(nowMs + LEASE_MS)))
    for (const organisation of this.#organisations.values()) {
      if (held.has(organisation.orgId)) organisation.leasedUntilMs = nowMs + LEASE_MS
      else organisation.loseLease()
    }
  }

  async #letIdleGo(): Promise<void> {
    const { database, clock } = this.#services
    const idle = [...this.#organisations.values()].filter(
      ({ isIdle, activeAtMs }) => isIdle && clock() - activeAtMs >= IDLE_MS,
    )
    for (const organisation of idle) {
      organisation.loseLease()
      this.#organisations.delete(organisation.orgId)
      this.#ready.delete(organisation)
    }
    await releaseLeases(
      database,
      this.#holder,
      idle.map(({ orgId }) => orgId),
    )
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
      if (organisation.needsRefill) this.#refill(organisation)
      if (organisation.leasedUntilMs - this.#services.clock() < ATTEMPT_MS) continue
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

  /** What fails is found again by the next look; it must not end what comes after it. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#leasing = this.#leasing.then(work).then(
      () => {
        this.#isAway = false
      },
      (error: unknown) => {
        if (!this.#isAway) this.#services.log.error({ err: error }, 'deliveries could not be looked for')
        this.#isAway = true
      },
    )
    return this.#leasing
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
