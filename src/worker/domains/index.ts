import { Counter } from 'prom-client'
import {
  type ClaimedDomain,
  findDueOrganisation,
  type Verification,
} from '../../modules/domains/custom-domains/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'

interface DomainCheckServices {
  database: Database
  verification: Verification
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** Checks are not announced: the first one of a domain is a minute after it was connected. */
const POLL_MS = 5 * SECOND_MS
/** Sorts before the IDs of all organisations. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
const CHECKS_MAX = 8
/** So that the slow name servers of one organisation do not delay others. */
const CHECKS_PER_ORGANISATION_MAX = 2

/** Checks domains again when they are due. Returns a function that stops it after the checks in progress. */
export function startDomainChecks(services: DomainCheckServices): () => Promise<void> {
  const checker = new DomainChecker(services)
  return () => checker.close()
}

/**
 * Organisations take turns, in the order of their IDs: a turn is one domain, which is leased until its check is stored.
 *
 * States:
 * - idle → claiming: the poll timer or the end of a check calls `#wake`.
 * - claiming → claiming: an organisation had a due domain, whose check has begun.
 * - claiming → idle: nothing is due, or all places are taken.
 * - any → closed: `close` waits for the checks in progress, all of which have a time limit.
 */
class DomainChecker {
  readonly #services: DomainCheckServices
  readonly #checks: Counter<'outcome'>
  readonly #inProgress = new Map<Promise<void>, OrgId>()
  readonly #timer: NodeJS.Timeout
  #last: string = BEFORE_ALL
  #claiming: Promise<void> | undefined
  #hasMore = false
  #isClosing = false
  /** So that an outage is logged once, not every few seconds. */
  #hasFailed = false

  constructor(services: DomainCheckServices) {
    this.#services = services
    this.#checks = new Counter({
      name: 'waymark_domain_checks_total',
      help: 'Checks of custom domains by the service itself, by their outcome.',
      labelNames: ['outcome'],
      registers: [services.metrics.registry],
    })
    this.#timer = setInterval(() => this.#wake(), POLL_MS)
    this.#timer.unref()
    this.#wake()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#claiming
    await Promise.all(this.#inProgress.keys())
  }

  #wake(): void {
    this.#hasMore = true
    if (this.#claiming !== undefined || this.#isClosing) return
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined
    })
  }

  async #claim(): Promise<void> {
    while (this.#hasMore && !this.#isClosing && this.#inProgress.size < CHECKS_MAX) {
      this.#hasMore = false
      try {
        if (await this.#takeTurn()) this.#hasMore = true
      } catch (error) {
        this.#logFailure(error, 'failed to look for domains to check')
      }
    }
  }

  /** Returns false if nothing is due. */
  async #takeTurn(): Promise<boolean> {
    const { database, verification, clock } = this.#services
    const busy = this.#busyOrganisations()
    const now = timestamp(clock())
    const find = (after: string) => findDueOrganisation(database.read, after, busy, now)
    const orgId = (await find(this.#last)) ?? (this.#last === BEFORE_ALL ? undefined : await find(BEFORE_ALL))
    if (orgId === undefined) return false
    this.#last = orgId
    const claimed = await verification.claim(database, orgId, clock())
    if (claimed !== undefined) this.#start(claimed)
    return true
  }

  #busyOrganisations(): OrgId[] {
    const counts = Map.groupBy(this.#inProgress.values(), (orgId) => orgId)
    return [...counts].filter(([, checks]) => checks.length >= CHECKS_PER_ORGANISATION_MAX).map(([orgId]) => orgId)
  }

  #start(claimed: ClaimedDomain): void {
    const checking = this.#check(claimed)
      // The domain is due again when its lease ends.
      .catch((error) => this.#logFailure(error, 'failed to check a domain'))
      .finally(() => {
        this.#inProgress.delete(checking)
        this.#wake()
      })
    this.#inProgress.set(checking, claimed.orgId)
  }

  async #check(claimed: ClaimedDomain): Promise<void> {
    const { database, verification, clock } = this.#services
    this.#checks.inc({ outcome: await verification.settle(database, claimed, clock) })
    this.#hasFailed = false
  }

  #logFailure(error: unknown, message: string): void {
    if (!this.#hasFailed) this.#services.log.error({ err: error }, message)
    this.#hasFailed = true
  }
}
