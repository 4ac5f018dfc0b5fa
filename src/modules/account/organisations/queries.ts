import { compiled, type Db, isSqlite, type Tx, unlessTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface OrganisationsTable {
  id: string
  name: string
  slug: string
  /** Null means the default of the installation. */
  rate_per_minute: number | null
  rate_per_hour: number | null
  storage_bytes_max: number | null
  /** Created by `waymark demo`, which may delete it again. */
  is_demo: boolean
  /** Since when it is being deleted. */
  deleted_at: string | null
  created_at: string
  updated_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    organisations: OrganisationsTable
  }
}

const COLUMNS = ['id', 'name', 'slug', 'rate_per_minute', 'rate_per_hour', 'storage_bytes_max'] as const
export type OrganisationRow = Pick<OrganisationsTable, (typeof COLUMNS)[number]>

const byId = compiled((db: Db, orgId: OrgId) => db.selectFrom('organisations').select(COLUMNS).where('id', '=', orgId))

export const selectOrganisation = async (db: Db, orgId: OrgId): Promise<OrganisationRow | undefined> =>
  (await byId(db, orgId))[0]

/** For the CLI: its user is the operator, not a tenant. */
export const selectOrganisationBySlug = (db: Db, slug: string): Promise<OrganisationRow | undefined> =>
  db.selectFrom('organisations').select(COLUMNS).where('slug', '=', slug).executeTakeFirst()

/** For public pages, whose URL contains the slug. */
export const selectOrganisationIds = (db: Db, slugs: readonly string[]): Promise<{ id: string; slug: string }[]> =>
  db
    .selectFrom('organisations')
    .select(['id', 'slug'])
    .where('slug', 'in', [...slugs])
    .execute()

/** All organisations, for the CLI: its user is the operator, not a tenant. */
export const selectOrganisations = (db: Db): Promise<OrganisationRow[]> =>
  db.selectFrom('organisations').select(COLUMNS).orderBy('slug').execute()

/** All organisations that `waymark demo` created. */
export const selectDemoOrganisations = (db: Db): Promise<OrganisationRow[]> =>
  db.selectFrom('organisations').select(COLUMNS).where('is_demo', '=', true).orderBy('slug').execute()

export const selectAnyOrganisation = (db: Db): Promise<OrganisationRow | undefined> =>
  db.selectFrom('organisations').select(COLUMNS).limit(1).executeTakeFirst()

export const insertOrganisation = (tx: Tx, values: OrganisationsTable): Promise<OrganisationRow> =>
  unlessTaken(
    'organisations_slug_key',
    'slug',
    values.slug,
    tx.insertInto('organisations').values(values).returning(COLUMNS).executeTakeFirstOrThrow(),
  )

export const updateOrganisation = (
  tx: Tx,
  orgId: OrgId,
  changes: {
    rate_per_minute?: number | null | undefined
    rate_per_hour?: number | null | undefined
    storage_bytes_max?: number | null | undefined
    updated_at: string
  },
): Promise<OrganisationRow | undefined> =>
  tx.updateTable('organisations').set(changes).where('id', '=', orgId).returning(COLUMNS).executeTakeFirst()

/** Only changes of the organisation and its team wait. Other rows can refer to it meanwhile. */
export const lockOrganisationRow = async (tx: Tx, orgId: OrgId): Promise<void> => {
  if (isSqlite(tx)) return
  await tx.selectFrom('organisations').select('id').where('id', '=', orgId).forNoKeyUpdate().execute()
}
