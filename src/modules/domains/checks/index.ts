import { Counter } from 'prom-client'
import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { ClaimedWork, type Turn } from '../../../platform/jobs/claimed-work.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { type ClaimedDomain, findDueOrganisation, type Verification } from '../custom-domains/index.ts'

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
/** The slow name servers of one organisation must not delay others. */
const CHECKS_PER_ORGANISATION_MAX = 2

const FAILURES = { claim: 'failed to look for domains to check', work: 'failed to check a domain' }

/** Checks domains again when they are due. Returns a function that stops it after the checks in progress. */
export function startDomainChecks(services: DomainCheckServices): () => Promise<void> {
  const checker = new DomainChecker(services)
  return () => checker.close()
}

/** Organisations take turns, in the order of their IDs: a turn is one domain, which is leased until its check is stored. */
class DomainChecker {
  readonly #services: DomainCheckServices
  readonly #checks: Counter<'outcome'>
  readonly #work: ClaimedWork
  /** The organisations of the checks in progress. */
  readonly #checked: OrgId[] = []
  #last: string = BEFORE_ALL
  /** An outage is logged once, not every few seconds. */
  #hasFailed = false

  constructor(services: DomainCheckServices) {
    this.#services = services
    this.#checks = new Counter({
      name: 'waymark_domain_checks_total',
      help: 'Checks of custom domains by the service itself, by their outcome.',
      labelNames: ['outcome'],
      registers: [services.metrics.registry],
    })
    this.#work = new ClaimedWork({
      runningMax: CHECKS_MAX,
      pollMs: POLL_MS,
      takeTurn: () => this.#takeTurn(),
      failed: (error, step) => this.#logFailure(error, FAILURES[step]),
    })
    this.#work.wake()
  }

  close(): Promise<void> {
    return this.#work.close()
  }

  async #takeTurn(): Promise<Turn> {
    const { database, verification, clock } = this.#services
    const busy = this.#busyOrganisations()
    const now = timestamp(clock())
    const find = (after: string) => findDueOrganisation(database.read, after, busy, now)
    const orgId = (await find(this.#last)) ?? (this.#last === BEFORE_ALL ? undefined : await find(BEFORE_ALL))
    if (orgId === undefined) return { isDue: false }
    this.#last = orgId
    const claimed = await verification.claim(database, orgId, clock())
    return { isDue: true, work: claimed && (() => this.#check(claimed)) }
  }

  #busyOrganisations(): OrgId[] {
    const counts = Map.groupBy(this.#checked, (orgId) => orgId)
    return [...counts].filter(([, checks]) => checks.length >= CHECKS_PER_ORGANISATION_MAX).map(([orgId]) => orgId)
  }

  async #check(claimed: ClaimedDomain): Promise<void> {
    const { database, verification, clock } = this.#services
    this.#checked.push(claimed.orgId)
    try {
      this.#checks.inc({ outcome: await verification.settle(database, claimed, clock) })
      this.#hasFailed = false
    } finally {
      this.#checked.splice(this.#checked.indexOf(claimed.orgId), 1)
    }
  }

  #logFailure(error: unknown, message: string): void {
    if (!this.#hasFailed) this.#services.log.error({ err: error }, message)
    this.#hasFailed = true
  }
}
