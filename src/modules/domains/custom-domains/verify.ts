import { SYSTEM, withAudit } from '../../../platform/audit/index.ts'
import { FairQueue } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import { type Database, lockRow, type Tx } from '../../../platform/db/index.ts'
import { notFoundOrGone } from '../../../platform/db/tombstones.ts'
import type { DnsClient } from '../../../platform/dns/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { emit } from '../../../platform/outbox/index.ts'
import type { RateLimiter } from '../../../platform/rate-limit/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { announceDomains } from './announce-domains.ts'
import { type CheckedRecords, checkRecords } from './check-records.ts'
import type { CustomDomainVerification } from './contract.ts'
import { claimDueRow, selectDueOrganisation } from './due-queries.ts'
import { customDomainEvents } from './events.ts'
import { domainMails } from './mails.ts'
import { type CustomDomainRow, selectDomain, updateDomainRow, updateOtherHolder } from './queries.ts'
import type { DomainSettings } from './service.ts'
import { type DomainTargets, newDomainToken, toCustomDomain } from './stored-domain.ts'
import { type CheckOutcome, decideTakenOver, decideVerification } from './verification.ts'

interface VerificationServices {
  dns: Pick<DnsClient, 'lookUp'>
  limiter: RateLimiter
  mails: Pick<Mails, 'toAdmins'>
  targets: DomainTargets
}

/** A domain that a worker has leased. */
export interface ClaimedDomain {
  orgId: OrgId
  id: string
  domain: string
  token: string
}

/** Limits checks of one domain by people and programs. */
const CAPS = { perMinute: 6, perHour: 60 }
/** Domains that are looked up at once, each with a few queries. One organisation cannot use all places. */
const LOOKUPS = { runningMax: 16, runningPerKeyMax: 4, waitingPerKeyMax: 20, waitMsMax: 10 * SECOND_MS }
/** Longer than waiting for a place and looking up take together. */
const LEASE_MS = 120 * SECOND_MS
const VERIFIED_KEY = 'custom_domains_verified_key'
/** Each attempt fails only if yet another organisation has verified the same domain in between. */
const ATTEMPTS_MAX = 5

export const findDueOrganisation = selectDueOrganisation

/** Looks up the records of domains, and stores what follows from them. */
export class Verification {
  readonly #services: VerificationServices
  readonly #lookups = new FairQueue(LOOKUPS)

  constructor(services: VerificationServices) {
    this.#services = services
  }

  /** Throws `rate_limited` if the domain is checked too often. */
  async admit(id: string, nowMs: number): Promise<void> {
    const { admitted, retryAfterSeconds } = await this.#services.limiter.take(`domain-check:${id}`, CAPS, nowMs)
    if (admitted) return
    const message = `This domain was checked too often. Retry after ${retryAfterSeconds} s.`
    throw new ApiError('rate_limited', message, { retryAfterSeconds })
  }

  /** Throws `QueueFull` if too many domains of the organisation are being checked. */
  check(orgId: OrgId, domain: { domain: string; token: string }): Promise<CheckedRecords> {
    const { dns, targets } = this.#services
    return this.#lookups.run(orgId, () => checkRecords(dns, domain, targets))
  }

  /** Leases a domain of the organisation that is due. */
  async claim({ write }: Database, orgId: OrgId, nowMs: number): Promise<ClaimedDomain | undefined> {
    const [now, lease] = [timestamp(nowMs), timestamp(nowMs + LEASE_MS)]
    const row = await write((tx) => claimDueRow(tx, orgId, now, lease), orgId)
    return row && { ...row, orgId }
  }

  /** Checks a domain that was leased. */
  async settle({ write }: Database, claimed: ClaimedDomain, clock: Clock): Promise<CheckOutcome['kind']> {
    const { orgId, id, token } = claimed
    const { outcome } = await this.check(orgId, claimed)
    const now = timestamp(clock())
    await unlessOvertaken(() =>
      write((tx) => withAudit(tx, orgId, SYSTEM, now, () => this.store(tx, orgId, id, { outcome, token }, now)), orgId),
    )
    return outcome.kind
  }

  /**
   * Stores what follows from a check. `token` is the one that was looked for. Undefined if the domain has been
   * disconnected meanwhile. Throws a `ConstraintViolation` if another organisation verifies the domain at this moment.
   */
  async store(
    tx: Tx,
    orgId: OrgId,
    id: string,
    { outcome, token }: { outcome: CheckOutcome; token: string },
    now: Timestamp,
  ): Promise<{ row: CustomDomainRow; outcome: CheckOutcome } | undefined> {
    await lockRow(tx, orgId, 'custom_domains', id)
    const before = await selectDomain(tx, orgId, id)
    if (before === undefined) return undefined
    // Since the look-up, another organisation has taken the domain over: what was found proves nothing any more.
    const valid: CheckOutcome = before.token === token ? outcome : { kind: 'failed' }
    const { state, transition } = decideVerification(before, valid, now)
    const { domain } = before
    const loser = transition === 'verified' ? await takeFromHolder(tx, orgId, domain, now) : undefined
    const row = (await updateDomainRow(tx, orgId, id, { ...state, last_checked_at: now })) as CustomDomainRow
    const { mails, targets } = this.#services
    const since = before.wrong_since ?? now
    if (transition === 'warned') await mails.toAdmins(tx, orgId, domainMails.failing, { domain, since }, now)
    if (transition === 'verified' || transition === 'lost') {
      const event = transition === 'verified' ? 'custom_domain.verified' : 'custom_domain.verification_lost'
      await emit(tx, orgId, customDomainEvents, event, toCustomDomain(row, targets), now)
      await announceDomains(tx, orgId, [domain])
    }
    if (transition === 'lost') await mails.toAdmins(tx, orgId, domainMails.lost, { domain, since }, now)
    // Last: from here on, changes are noted for the audit log of the other organisation.
    if (loser !== undefined) await this.#tellLoser(tx, loser, now)
    return { row, outcome: valid }
  }

  #tellLoser(tx: Tx, { org_id: orgId, ...row }: CustomDomainRow & { org_id: OrgId }, now: Timestamp): Promise<void> {
    const { mails, targets } = this.#services
    return withAudit(tx, orgId, SYSTEM, now, async () => {
      const domain = toCustomDomain(row, targets)
      await emit(tx, orgId, customDomainEvents, 'custom_domain.verification_lost', domain, now)
      await announceDomains(tx, orgId, [row.domain])
      await mails.toAdmins(tx, orgId, domainMails.takenOver, { domain: row.domain }, now)
    })
  }
}

/**
 * The other organisation gets a new token. With its old TXT record, which may still exist, it could take the domain back,
 * and so on without end.
 */
const takeFromHolder = (tx: Tx, orgId: OrgId, domain: string, now: Timestamp) =>
  updateOtherHolder(tx, orgId, domain, { ...decideTakenOver(now), token: newDomainToken() })

/** Two organisations may verify a domain at once. The index lets one pass, and the other then takes the domain over. */
async function unlessOvertaken<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write()
    } catch (error) {
      const isOvertaken = error instanceof ConstraintViolation && error.constraint === VERIFIED_KEY
      if (!isOvertaken || attempt === ATTEMPTS_MAX) throw error
    }
  }
}

/** Checks a domain because somebody asks. */
export async function verifyDomain(
  ctx: Context,
  id: string,
  { targets, verification }: Pick<DomainSettings, 'targets' | 'verification'>,
): Promise<CustomDomainVerification> {
  const asked = await selectDomain(ctx.read, ctx.orgId, id)
  if (asked === undefined) throw await notFoundOrGone(ctx.read, ctx.orgId, 'custom_domain', id)
  await verification.admit(id, toMs(ctx.now))
  const { outcome, checks } = await verification.check(ctx.orgId, asked)
  return unlessOvertaken(() =>
    ctx.write(async (tx) => {
      const stored = await verification.store(tx, ctx.orgId, id, { outcome, token: asked.token }, ctx.now)
      if (stored === undefined) throw await notFoundOrGone(tx, ctx.orgId, 'custom_domain', id)
      const result = { object: 'custom_domain_verification' as const, checks }
      const domain = toCustomDomain(stored.row, targets)
      if (stored.outcome.kind !== 'failed')
        return { ...result, status: domain.verified ? 'verified' : 'pending', domain }
      const error = `DNS gave no usable answer about ${domain.domain}, so nothing has changed. Try again in a few minutes.`
      return { ...result, status: 'error', domain, error }
    }),
  )
}
