import { noteCreated, noteDeleted, noteUpdated } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf } from '../../../platform/outbox/index.ts'
import { hasCodesOn, lockAddresses } from '../../codes/qr-codes/index.ts'
import { announceDomains } from './announce-domains.ts'
import type { CustomDomain, CustomDomainCreate, CustomDomainUpdate } from './contract.ts'
import { normaliseDomain } from './domain-name.ts'
import {
  type CustomDomainRow,
  deleteDomainRow,
  insertDomain,
  selectAllDomains,
  selectDomain,
  selectDomainCounts,
  selectDomains,
  selectDomainsById,
  selectVerifiedDomains,
  selectVerifiedOf,
  updateDomainRow,
} from './queries.ts'
import { type DomainTargets, newDomainToken, toCustomDomain } from './stored-domain.ts'
import { firstCheckAt } from './verification.ts'
import type { Verification } from './verify.ts'

export interface DomainSettings {
  /** The values of the DNS records that customers create. */
  targets: DomainTargets
  /** The hosts of the service itself, which no customer can connect. */
  ownHosts: string[]
  verification: Pick<Verification, 'admit' | 'check' | 'store'>
}

/** Deletes the routes of a domain. */
export type DropRoutes = (tx: Tx, orgId: OrgId, domainId: string, now: Timestamp) => Promise<void>

export function listDomains(
  ctx: Context,
  query: OffsetQuery,
  { targets }: DomainSettings,
): Promise<OffsetPage<CustomDomain>> {
  return offsetPage(ctx, query, {
    totals: ['custom_domains'],
    count: undefined,
    rows: (db, limit, offset) => selectDomains(db, ctx.orgId, limit, offset),
    toItem: (row) => toCustomDomain(row, targets),
  })
}

export async function connectDomain(
  ctx: Context,
  input: CustomDomainCreate,
  { targets, ownHosts }: Pick<DomainSettings, 'targets' | 'ownHosts'>,
): Promise<CustomDomain> {
  const row = {
    id: newId(),
    domain: normaliseDomain(input.domain, ownHosts),
    token: newDomainToken(),
    verified_at: null,
    last_checked_at: null,
    check_error: null,
    fallback_url: null,
    check_due_at: firstCheckAt(ctx.now),
    schedule_from: null,
    wrong_since: null,
    warned_at: null,
    created_at: ctx.now,
  }
  return ctx.write(async (tx) => {
    const created = toCustomDomain(await insertDomain(tx, ctx.orgId, row, input.domain), targets)
    noteCreated(tx, created)
    return created
  })
}

export const getDomain = async (ctx: Context, id: string, { targets }: DomainSettings): Promise<CustomDomain> =>
  toCustomDomain(await requireDomain(ctx.read, ctx.orgId, id), targets)

export function updateDomain(
  ctx: Context,
  id: string,
  input: CustomDomainUpdate,
  { targets }: DomainSettings,
): Promise<CustomDomain> {
  return ctx.write(async (tx) => {
    const row = await lockDomain(tx, ctx.orgId, id)
    const { fallback_url = row.fallback_url } = input
    const [before, after] = [toCustomDomain(row, targets), toCustomDomain({ ...row, fallback_url }, targets)]
    const changes = changesOf(before, after)
    if (changes === undefined) return before
    await updateDomainRow(tx, ctx.orgId, id, { fallback_url })
    await announceDomains(tx, ctx.orgId, [row.domain])
    noteUpdated(tx, after, changes)
    return after
  })
}

export function disconnectDomain(ctx: Context, id: string, dropRoutes: DropRoutes): Promise<void> {
  return ctx.write(async (tx) => {
    // Adding a route takes the same lock, so none is added from here on.
    const { domain } = await lockDomain(tx, ctx.orgId, id)
    await lockAddresses(tx, ctx.orgId)
    if (await hasCodesOn(tx, ctx.orgId, id))
      throw new ApiError('conflict', 'QR codes work on this domain alone. Delete them first, or keep the domain.', {
        details: { field: 'domain', value: domain },
      })
    await dropRoutes(tx, ctx.orgId, id, ctx.now)
    await deleteDomainRow(tx, ctx.orgId, id)
    await insertTombstone(tx, ctx.orgId, 'custom_domain', id, ctx.now)
    noteDeleted(tx, { object: 'custom_domain', id, domain })
    await announceDomains(tx, ctx.orgId, [domain])
  })
}

async function requireDomain(db: Db, orgId: OrgId, id: string): Promise<CustomDomainRow> {
  const row = await selectDomain(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'custom_domain', id)
  return row
}

async function lockDomain(tx: Tx, orgId: OrgId, id: string): Promise<CustomDomainRow> {
  await lockRow(tx, orgId, 'custom_domains', id)
  return requireDomain(tx, orgId, id)
}

/** Locks the domain of a new route until the transaction ends; throws 422 if there is none. */
export async function lockReferencedDomain(tx: Tx, orgId: OrgId, id: string): Promise<CustomDomainRow> {
  await lockRow(tx, orgId, 'custom_domains', id)
  const row = await selectDomain(tx, orgId, id)
  if (row !== undefined) return row
  throw unprocessable('domain_id', id, 'there is no custom domain with this id in your organisation')
}

/** Returns the domains of an organisation by their ids. */
export async function findDomains(db: Db, orgId: OrgId, ids: readonly string[]): Promise<Map<string, CustomDomainRow>> {
  const rows = ids.length === 0 ? [] : await selectDomainsById(db, orgId, ids)
  return new Map(rows.map((row) => [row.id, row]))
}

/** All domains of an organisation by their ids. Nobody connects many. */
export async function listAllDomains(
  db: Db,
  orgId: OrgId,
): Promise<Map<string, { name: string; isVerified: boolean }>> {
  const rows = await selectAllDomains(db, orgId)
  return new Map(rows.map(({ id, domain, verified_at }) => [id, { name: domain, isVerified: verified_at !== null }]))
}

/** Operators see these numbers. */
export const countDomains = selectDomainCounts

/** A verified domain, for requests to its host. */
interface VerifiedDomain {
  id: string
  orgId: OrgId
  fallbackUrl: string | null
}

/** Returns those of the domains that are verified. */
export async function findVerifiedDomains(db: Db, domains: readonly string[]): Promise<Map<string, VerifiedDomain>> {
  const rows = await selectVerifiedDomains(db, domains)
  return new Map(
    rows.map(({ id, domain, org_id, fallback_url }) => [domain, { id, orgId: org_id, fallbackUrl: fallback_url }]),
  )
}

/** Returns the domain that new links of each organisation begin with: the one that has been verified for the longest time. */
export async function findPrimaryDomains(db: Db, orgIds: readonly OrgId[]): Promise<Map<OrgId, string>> {
  if (orgIds.length === 0) return new Map()
  const rows = await selectVerifiedOf(db, orgIds)
  const newestFirst = rows.sort((a, b) => (a.verified_at + a.id < b.verified_at + b.id ? 1 : -1))
  // The last entry of a key wins.
  return new Map(newestFirst.map(({ domain, org_id }) => [org_id, domain]))
}
