import { columnsExcept, compiled, type Db, type Row, type Tx, unlessTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('custom_domains', 'org_id')
export type CustomDomainRow = Row<'custom_domains', typeof COLUMNS>

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

export const selectDomainsById = (db: Db, orgId: OrgId, ids: readonly string[]): Promise<CustomDomainRow[]> =>
  db
    .selectFrom('custom_domains')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .execute()

export const selectAllDomains = (
  db: Db,
  orgId: OrgId,
): Promise<Pick<CustomDomainRow, 'id' | 'domain' | 'verified_at'>[]> =>
  db.selectFrom('custom_domains').select(['id', 'domain', 'verified_at']).where('org_id', '=', orgId).execute()

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

export const updateDomainRow = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  values: Partial<Omit<CustomDomainRow, 'id' | 'domain' | 'created_at'>>,
): Promise<CustomDomainRow | undefined> =>
  tx
    .updateTable('custom_domains')
    .set(values)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()

/** Changes the row of another organisation that has this domain verified. Returns it if there was one. */
export const updateOtherHolder = (
  tx: Tx,
  orgId: OrgId,
  domain: string,
  values: Partial<Omit<CustomDomainRow, 'id' | 'domain' | 'created_at'>>,
): Promise<(CustomDomainRow & { org_id: OrgId }) | undefined> =>
  tx
    .updateTable('custom_domains')
    .set(values)
    .where('domain', '=', domain)
    .where('org_id', '<>', orgId)
    .where('verified_at', 'is not', null)
    .returning([...COLUMNS, 'org_id'])
    .executeTakeFirst()

/** Counts all organisations: the caller is an operator. */
export const selectDomainCounts = (db: Db): Promise<{ connected: number; verified: number }> =>
  db
    .selectFrom('custom_domains')
    .select((eb) => [eb.fn.countAll<number>().as('connected'), eb.fn.count<number>('verified_at').as('verified')])
    .executeTakeFirstOrThrow()

/** Takes no organisation, because the host name of a public request determines it. */
export const selectVerifiedDomains = (
  db: Db,
  domains: readonly string[],
): Promise<{ id: string; domain: string; org_id: OrgId; fallback_url: string | null }[]> =>
  db
    .selectFrom('custom_domains')
    .select(['id', 'domain', 'org_id', 'fallback_url'])
    .where('domain', 'in', [...domains])
    .where('verified_at', 'is not', null)
    .execute()

/** The verified domains of these organisations. */
export const selectVerifiedOf = (
  db: Db,
  orgIds: readonly OrgId[],
): Promise<{ id: string; domain: string; org_id: OrgId; verified_at: string }[]> =>
  db
    .selectFrom('custom_domains')
    .select(['id', 'domain', 'org_id', 'verified_at'])
    .where('org_id', 'in', [...orgIds])
    .where('verified_at', 'is not', null)
    .$narrowType<{ verified_at: string }>()
    .execute()
