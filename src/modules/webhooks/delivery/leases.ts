import { SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { clearLeases, releaseLeases, renewLeases, takeLeases } from '../webhook-deliveries/index.ts'
import { OrganisationQueue } from './organisation-queue.ts'

const LEASE_MS = 20 * SECOND_MS
/** How long to keep the lease of an idle organisation: taking and releasing one costs two writes. */
const IDLE_MS = 10 * SECOND_MS

/**
 * The organisations this worker sends for. Workers share organisations by leases: only the holder of a lease sends for
 * that organisation, so the limits on requests in flight are counted in one place and deliveries need no claim.
 *
 * States of an organisation:
 * - unleased → leased: `take` got the lease.
 * - leased → leased: `renew` extended the lease.
 * - leased → lost: the lease expired because it was not renewed in time. No attempt starts any more; attempts in flight
 *   have ended by then, because none starts that could outlast the lease.
 * - lost → leased: `take` got the lease again.
 * - leased or lost → unleased: `releaseIdle` released it after 10 idle seconds.
 *
 * Calls must not overlap; the caller runs one after the other.
 */
export class Leases {
  readonly #database: Database
  readonly #holder = newId()
  readonly #organisations = new Map<OrgId, OrganisationQueue>()

  constructor(database: Database) {
    this.#database = database
  }

  get(orgId: OrgId): OrganisationQueue | undefined {
    return this.#organisations.get(orgId)
  }

  /** On SQLite we are the only process, so any remaining lease belongs to a crashed run. */
  async clearCrashed(): Promise<void> {
    if (this.#database.engine === 'sqlite') await clearLeases(this.#database)
  }

  /** Takes the leases that are free or expired. */
  async take(orgIds: readonly OrgId[], nowMs: number): Promise<void> {
    const unleased = orgIds.filter((orgId) => (this.#organisations.get(orgId)?.leasedUntilMs ?? 0) <= nowMs)
    const untilMs = nowMs + LEASE_MS
    const taken = await takeLeases(this.#database, this.#holder, unleased, timestamp(nowMs), timestamp(untilMs))
    for (const orgId of taken) {
      const organisation = this.#organisations.get(orgId) ?? new OrganisationQueue(orgId)
      organisation.discardUnstarted()
      organisation.leasedUntilMs = untilMs
      this.#organisations.set(orgId, organisation)
    }
  }

  async renew(nowMs: number): Promise<void> {
    if (this.#organisations.size === 0) return
    const untilMs = nowMs + LEASE_MS
    const held = new Set(await renewLeases(this.#database, this.#holder, timestamp(nowMs), timestamp(untilMs)))
    for (const organisation of this.#organisations.values()) {
      if (held.has(organisation.orgId)) organisation.leasedUntilMs = untilMs
      else organisation.loseLease()
    }
  }

  async releaseIdle(nowMs: number): Promise<void> {
    const idle = [...this.#organisations.values()].filter(
      ({ isIdle, activeAtMs }) => isIdle && nowMs - activeAtMs >= IDLE_MS,
    )
    for (const organisation of idle) {
      organisation.loseLease()
      this.#organisations.delete(organisation.orgId)
    }
    await releaseLeases(
      this.#database,
      this.#holder,
      idle.map(({ orgId }) => orgId),
    )
  }

  releaseAll(): Promise<void> {
    return releaseLeases(this.#database, this.#holder, [...this.#organisations.keys()])
  }
}
