import {
  clearLeases,
  releaseLeases,
  renewLeases,
  selectDueOrganisations,
  selectWaitingLanes,
  takeLeases,
} from '../../modules/webhooks/webhook-deliveries/index.ts'
import { ENDPOINTS_TOPIC } from '../../modules/webhooks/webhooks/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../platform/clock/index.ts'
import type { Database, Listener } from '../../platform/db/index.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'
import { EVENTS_TOPIC } from '../../platform/outbox/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import { OrganisationQueue } from './organisation-queue.ts'

interface LeaseServices {
  database: Database
  clock: Clock
  log: Logger
}

/** What nobody announced is found this late: retries, and whatever was announced while nobody listened. */
const POLL_MS = SECOND_MS
/** A look at all endpoints takes at most this share of the time, however many there are. */
const POLL_SHARE = 0.1
const LEASE_MS = 20 * SECOND_MS
const RENEW_MS = 2 * SECOND_MS
/** How long an organisation is kept without anything to do: a lease costs two writes. */
const IDLE_MS = 10 * SECOND_MS

/**
 * The organisations that this worker sends for. Several workers share them: each has a lease on some, and only it sends
 * for those, so that what may be in flight is counted in one place, and a delivery needs no claim of its own.
 *
 * An organisation: unknown → leased → idle for a while → let go. A lease that could not be renewed is lost; what is in
 * flight under it ends before it does.
 */
export class Leases {
  readonly #services: LeaseServices
  /** Called with an organisation that may have something to send. */
  readonly #wake: (organisation: OrganisationQueue) => void
  readonly #holder = newId()
  readonly #organisations = new Map<OrgId, OrganisationQueue>()
  readonly #heard = new Set<OrgId>()
  readonly #stopListening: () => void
  readonly #renewTimer: NodeJS.Timeout
  #pollTimer: NodeJS.Timeout | undefined
  /** Leases are taken, renewed and let go one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #isTold = false
  /** Said once, and not every second. */
  #isAway = false
  #isClosing = false

  constructor(services: LeaseServices, wake: (organisation: OrganisationQueue) => void) {
    this.#services = services
    this.#wake = wake
    const { database } = services
    this.#stopListening = database.listen(this.#listener())
    this.#renewTimer = setInterval(() => this.#inTurn(() => this.#renew()), RENEW_MS)
    this.#renewTimer.unref()
    // There is no other process whose lease it could be; the one before this ended without letting go.
    if (database.engine === 'sqlite') this.#inTurn(() => clearLeases(database))
    this.#poll()
  }

  /** Takes and renews no more; what is held stays, for what is in flight under it. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    clearTimeout(this.#pollTimer)
    clearInterval(this.#renewTimer)
    await this.#turn
  }

  /** Lets everybody else have what is held. */
  release(): Promise<void> {
    return this.#inTurn(() => releaseLeases(this.#services.database, this.#holder, [...this.#organisations.keys()]))
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
    const untilMs = nowMs + LEASE_MS
    const taken = await takeLeases(database, this.#holder, free, timestamp(nowMs), timestamp(untilMs))
    for (const orgId of taken) {
      const organisation = this.#organisations.get(orgId) ?? new OrganisationQueue(orgId)
      organisation.giveBack()
      organisation.leasedUntilMs = untilMs
      this.#organisations.set(orgId, organisation)
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
    }
    await releaseLeases(
      database,
      this.#holder,
      idle.map(({ orgId }) => orgId),
    )
  }

  /** What fails is found again by the next look; it must not end what comes after it. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work).then(
      () => {
        this.#isAway = false
      },
      (error: unknown) => {
        if (!this.#isAway) this.#services.log.error({ err: error }, 'deliveries could not be looked for')
        this.#isAway = true
      },
    )
    return this.#turn
  }
}
