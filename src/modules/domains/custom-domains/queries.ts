import { compiled, type Db, type Tx, unlessTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface CustomDomainsTable {
  id: string
  org_id: string
  domain: string
  token: string
  verified_at: string | null
  last_checked_at: string | null
  check_error: string | null
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    custom_domains: CustomDomainsTable
  }
}

const COLUMNS = ['id', 'domain', 'token', 'verified_at', 'last_checked_at', 'check_error', 'created_at'] as const
export type CustomDomainRow = Pick<CustomDomainsTable, (typeof COLUMNS)[number]>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('custom_domains').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectDomain = async (db: Db, orgId: OrgId, id: string): Promise<CustomDomainRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectDomains = compiled((db: Db, orgId: OrgId, limit: number, offset: number) =>
  db
    .selectFrom('custom_domains')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset),
)

/** `sent` is the domain as the caller spelled it, for the error of a conflict. */
export const insertDomain = (tx: Tx, orgId: OrgId, row: CustomDomainRow, sent: string): Promise<CustomDomainRow> =>
  unlessTaken(
    'custom_domains_org_domain_key',
    'domain',
    sent,
    tx
      .insertInto('custom_domains')
      .values({ ...row, org_id: orgId })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow(),
  )

export const deleteDomainRow = (tx: Tx, orgId: OrgId, id: string): Promise<{ domain: string } | undefined> =>
  tx
    .deleteFrom('custom_domains')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning('domain')
    .executeTakeFirst()

/** Without an organisation, because the host name of a public request determines it. */
export const selectVerifiedDomains = (
  db: Db,
  domains: readonly string[],
): Promise<{ domain: string; org_id: string }[]> =>
  db
    .selectFrom('custom_domains')
    .select(['domain', 'org_id'])
    .where('domain', 'in', [...domains])
    .where('verified_at', 'is not', null)
    .execute()
