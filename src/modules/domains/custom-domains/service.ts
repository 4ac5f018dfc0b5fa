import { randomBytes } from 'node:crypto'
import { noteCreated, noteDeleted } from '../../../platform/audit/index.ts'
import type { OffsetPage, OffsetQuery } from '../../../platform/contract/pagination.ts'
import { announce, type Db } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage } from '../../../platform/http/index.ts'
import { newId, type OrgId } from '../../../platform/ids/index.ts'
import type { CustomDomain, CustomDomainCreate, VerificationRecord } from './contract.ts'
import { isApex, normaliseDomain } from './domain-name.ts'
import {
  type CustomDomainRow,
  deleteDomainRow,
  insertDomain,
  selectDomain,
  selectDomains,
  selectVerifiedDomains,
} from './queries.ts'

export interface DomainSettings {
  /** The values of the DNS records that customers create. */
  targets: { a: string[]; aaaa: string[]; cname: string }
  /** The hosts of the service itself, which no customer can connect. */
  ownHosts: string[]
}

/** Announced when a domain changes, so that all processes drop their cached owner of it. */
export const DOMAINS_TOPIC = 'custom_domains'

/** 160 bits, so that the token cannot be guessed. */
const TOKEN_BYTES = 20

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
  { targets, ownHosts }: DomainSettings,
): Promise<CustomDomain> {
  const row = {
    id: newId(),
    domain: normaliseDomain(input.domain, ownHosts),
    token: randomBytes(TOKEN_BYTES).toString('hex'),
    verified_at: null,
    last_checked_at: null,
    check_error: null,
    created_at: ctx.now,
  }
  return ctx.write(async (tx) => {
    const created = toCustomDomain(await insertDomain(tx, ctx.orgId, row, input.domain), targets)
    noteCreated(tx, created)
    return created
  })
}

export async function getDomain(ctx: Context, id: string, { targets }: DomainSettings): Promise<CustomDomain> {
  const row = await selectDomain(ctx.read, ctx.orgId, id)
  if (row === undefined) throw await notFoundOrGone(ctx.read, ctx.orgId, 'custom_domain', id)
  return toCustomDomain(row, targets)
}

export function disconnectDomain(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const deleted = await deleteDomainRow(tx, ctx.orgId, id)
    if (deleted === undefined) throw await notFoundOrGone(tx, ctx.orgId, 'custom_domain', id)
    await insertTombstone(tx, ctx.orgId, 'custom_domain', id, ctx.now)
    noteDeleted(tx, { object: 'custom_domain', id, domain: deleted.domain })
    await announce(tx, DOMAINS_TOPIC, [deleted.domain])
  })
}

/** Returns the organisation of each domain that is verified. */
export async function findVerifiedDomains(db: Db, domains: readonly string[]): Promise<Map<string, OrgId>> {
  const rows = await selectVerifiedDomains(db, domains)
  return new Map(rows.map(({ domain, org_id }) => [domain, org_id as OrgId]))
}

function toCustomDomain(row: CustomDomainRow, targets: DomainSettings['targets']): CustomDomain {
  const { id, domain, verified_at, last_checked_at, check_error, created_at } = row
  return {
    object: 'custom_domain',
    id,
    domain,
    verified: verified_at !== null,
    verified_at,
    last_checked_at,
    check_error,
    verification_records: verified_at === null ? [ownershipRecord(row), ...pointingRecords(domain, targets)] : [],
    created_at,
  }
}

const ownershipRecord = ({ domain, token }: CustomDomainRow): VerificationRecord => ({
  type: 'TXT',
  domain: `_waymark-challenge.${domain}`,
  value: `waymark-verify=${token}`,
  reason: 'ownership',
})

/** Without configured addresses an apex domain gets a CNAME, too: many DNS providers flatten it. */
function pointingRecords(domain: string, { a, aaaa, cname }: DomainSettings['targets']): VerificationRecord[] {
  const addresses = isApex(domain)
    ? [...a.map((value) => ({ type: 'A', value })), ...aaaa.map((value) => ({ type: 'AAAA', value }))]
    : []
  const targets = addresses.length > 0 ? addresses : [{ type: 'CNAME', value: cname }]
  return targets.map(({ type, value }) => ({ type, domain, value, reason: 'pointing' }))
}
