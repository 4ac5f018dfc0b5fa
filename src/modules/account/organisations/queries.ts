import type { NotNull } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  isSqlite,
  type Row,
  type Tx,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = ['id', 'name', 'slug', 'rate_per_minute', 'rate_per_hour', 'storage_bytes_max'] as const
export type OrganisationRow = Row<'organisations', typeof COLUMNS>

const byId = compiled((db: Db, orgId: OrgId) => db.selectFrom('organisations').select(COLUMNS).where('id', '=', orgId))

export const selectOrganisation = async (db: Db, orgId: OrgId): Promise<OrganisationRow | undefined> =>
  (await byId(db, orgId))[0]

/** The CLI uses this. Its user is the operator, not a tenant. */
export const selectOrganisationBySlug = (db: Db, slug: string): Promise<OrganisationRow | undefined> =>
  db.selectFrom('organisations').select(COLUMNS).where('slug', '=', slug).executeTakeFirst()

/** Finds organisations by public addresses, which contain a slug, maybe an earlier one. */
export const selectOrganisationIds = (db: Db, slugs: readonly string[]): Promise<{ id: OrgId; slug: string }[]> =>
  db
    .selectFrom('organisation_slugs')
    .select(['org_id as id', 'slug'])
    .where('slug', 'in', [...slugs])
    .where('org_id', 'is not', null)
    .$narrowType<{ id: NotNull }>()
    .execute()

/** All organisations, for the CLI: its user is the operator, not a tenant. */
export const selectOrganisations = (db: Db): Promise<OrganisationRow[]> =>
  db.selectFrom('organisations').select(COLUMNS).orderBy('slug').execute()

/** All organisations that `waymark demo` created. */
export const selectDemoOrganisations = (db: Db): Promise<OrganisationRow[]> =>
  db.selectFrom('organisations').select(COLUMNS).where('is_demo', '=', true).orderBy('slug').execute()

export const selectAnyOrganisation = (db: Db): Promise<OrganisationRow | undefined> =>
  db.selectFrom('organisations').select(COLUMNS).limit(1).executeTakeFirst()

const PROFILE_COLUMNS = columnsExcept(
  'organisations',
  'rate_per_minute',
  'rate_per_hour',
  'storage_bytes_max',
  'is_demo',
)
export type ProfileRow = Row<'organisations', typeof PROFILE_COLUMNS>

const profileById = compiled((db: Db, orgId: OrgId) =>
  db.selectFrom('organisations').select(PROFILE_COLUMNS).where('id', '=', orgId),
)

export const selectProfile = async (db: Db, orgId: OrgId): Promise<ProfileRow | undefined> =>
  (await profileById(db, orgId))[0]

const redirectStatusById = compiled((db: Db, orgId: OrgId) =>
  db.selectFrom('organisations').select('redirect_status').where('id', '=', orgId),
)

export const selectRedirectStatus = async (db: Db, orgId: OrgId): Promise<ProfileRow['redirect_status'] | undefined> =>
  (await redirectStatusById(db, orgId))[0]?.redirect_status

export const updateProfileRow = async (
  tx: Tx,
  orgId: OrgId,
  { created_at: _, ...values }: Omit<ProfileRow, 'id'>,
): Promise<void> => {
  const update = tx.updateTable('organisations').set(values).where('id', '=', orgId)
  await unlessTaken('organisations_slug_key', 'slug', values.slug, update.execute())
}

/** Returns the organisation that has the slug afterwards. */
export const claimSlug = async (tx: Tx, orgId: OrgId, slug: string, now: string): Promise<string | null> => {
  await tx
    .insertInto('organisation_slugs')
    .values({ slug, org_id: orgId, created_at: now })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
  const { org_id } = await tx
    .selectFrom('organisation_slugs')
    .select('org_id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow()
  return org_id
}

/** Returns the slugs of an organisation that is being deleted. Nobody gets them again. */
export const retireSlugs = async (tx: Tx, orgId: OrgId): Promise<string[]> => {
  const rows = await tx
    .updateTable('organisation_slugs')
    .set({ org_id: null })
    .where('org_id', '=', orgId)
    .returning('slug')
    .execute()
  return rows.map(({ slug }) => slug)
}

export const countSlugs = async (db: Db, orgId: OrgId): Promise<number> => {
  const { count } = await db
    .selectFrom('organisation_slugs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Those whose time has come, the earliest first. */
export const selectDueForDeletion = async (db: Db, now: string, limit: number): Promise<OrgId[]> => {
  const rows = await db
    .selectFrom('organisations')
    .select('id')
    .where('deletes_at', '<=', now)
    .orderBy('deletes_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const insertOrganisation = (tx: Tx, values: Row<'organisations'>): Promise<OrganisationRow> =>
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

export const deleteOrganisationRow = async (tx: Tx, orgId: OrgId): Promise<void> => {
  await tx.deleteFrom('organisations').where('id', '=', orgId).execute()
}
