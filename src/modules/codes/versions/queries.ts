import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  deleteRows,
  insertRows,
  type Row,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('target_versions', 'org_id')
export type VersionRow = Row<'target_versions', typeof COLUMNS>

const RULES_COLUMNS = columnsExcept('target_rules', 'org_id')
export type RulesRow = Row<'target_rules', typeof RULES_COLUMNS>

export interface LastVersion {
  version: number
  /** When the last version became effective that is not of the future. */
  effectiveAt: string
}

/** The newest number that each of these owners has given to a version. Those that have never changed are left out. */
export const selectLastVersions = async (
  db: Db,
  orgId: OrgId,
  ownerIds: readonly string[],
): Promise<Map<string, LastVersion>> => {
  const rows = await db
    .selectFrom('target_versions')
    .select([
      'owner_id',
      sql<number>`max(version)`.as('last'),
      sql<string>`max(effective_at) filter (where state is not null)`.as('effective_at'),
    ])
    .where('org_id', '=', orgId)
    .where('owner_id', 'in', ownerIds)
    .groupBy('owner_id')
    .execute()
  return new Map(
    rows.map(({ owner_id, last, effective_at }) => [owner_id, { version: Number(last), effectiveAt: effective_at }]),
  )
}

export const insertVersions = (tx: Tx, orgId: OrgId, rows: readonly VersionRow[]): Promise<void> =>
  insertRows(
    tx,
    'target_versions',
    rows.map((row) => ({ ...row, org_id: orgId })),
  )

const ofOwner = (db: Db, orgId: OrgId, ownerId: string) =>
  db.selectFrom('target_versions').where('org_id', '=', orgId).where('owner_id', '=', ownerId)

/** Newest first, those of the future before all others. */
export const selectVersions = compiled((db: Db, orgId: OrgId, ownerId: string, limit: number, offset: number) =>
  ofOwner(db, orgId, ownerId)
    .select(COLUMNS)
    .orderBy('effective_at', 'desc')
    .orderBy('version', 'desc')
    .limit(limit)
    .offset(offset),
)

const byNumber = compiled((db: Db, orgId: OrgId, ownerId: string, version: number) =>
  ofOwner(db, orgId, ownerId).select(COLUMNS).where('version', '=', version),
)

export const selectVersion = async (
  db: Db,
  orgId: OrgId,
  ownerId: string,
  version: number,
): Promise<VersionRow | undefined> => (await byNumber(db, orgId, ownerId, version))[0]

/** The version that was in effect at this time. Undefined before the first one, and if the owner has never changed. */
export const selectVersionAt = (db: Db, orgId: OrgId, ownerId: string, at: string): Promise<VersionRow | undefined> =>
  ofOwner(db, orgId, ownerId)
    .select(COLUMNS)
    .where('state', 'is not', null)
    .where('effective_at', '<=', at)
    .orderBy('effective_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The version that it was created with. Undefined if it has never changed. */
export const selectFirstVersion = (db: Db, orgId: OrgId, ownerId: string): Promise<VersionRow | undefined> =>
  ofOwner(db, orgId, ownerId)
    .select(COLUMNS)
    .where('state', 'is not', null)
    .orderBy('effective_at')
    .orderBy('version')
    .limit(1)
    .executeTakeFirst()

/** The version that was in effect before another one, if any. */
export const selectVersionBefore = (
  db: Db,
  orgId: OrgId,
  ownerId: string,
  { effective_at, version }: Pick<VersionRow, 'effective_at' | 'version'>,
): Promise<VersionRow | undefined> =>
  ofOwner(db, orgId, ownerId)
    .select(COLUMNS)
    .where('state', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('effective_at', '<', effective_at),
        eb.and([eb('effective_at', '=', effective_at), eb('version', '<', version)]),
      ]),
    )
    .orderBy('effective_at', 'desc')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

export const countVersions = async (db: Db, orgId: OrgId, ownerId: string): Promise<number> => {
  const { count } = await ofOwner(db, orgId, ownerId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The versions of the future of these owners, in the order in which they become effective. */
export const selectScheduled = (db: Db, orgId: OrgId, ownerIds: readonly string[]): Promise<VersionRow[]> =>
  db
    .selectFrom('target_versions')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('owner_id', 'in', ownerIds)
    .where('state', 'is', null)
    .orderBy('effective_at')
    .orderBy('version')
    .execute()

export const updateVersion = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  values: Partial<Pick<VersionRow, 'state'>>,
): Promise<void> => {
  await tx.updateTable('target_versions').set(values).where('org_id', '=', orgId).where('id', '=', id).execute()
}

export const deleteVersion = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('target_versions').where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** The old versions are deleted one by one, because many owners may change in one large transaction. */
export async function deleteVersionsBelow(tx: Tx, orgId: OrgId, ownerId: string, version: number): Promise<void> {
  const rows = ofOwner(tx, orgId, ownerId).select('id').where('version', '<', version).where('state', 'is not', null)
  await deleteRows(tx, orgId, 'target_versions', idsOf(await rows.execute()))
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

const rulesOfOwner = (db: Db, orgId: OrgId, ownerId: string) =>
  db.selectFrom('target_rules').where('org_id', '=', orgId).where('owner_id', '=', ownerId)

const rulesByVersion = compiled((db: Db, orgId: OrgId, ownerId: string, version: number) =>
  db
    .selectFrom('target_rules')
    .select(RULES_COLUMNS)
    .where('org_id', '=', orgId)
    .where('owner_id', '=', ownerId)
    .where('version', '=', version),
)

export const selectRules = async (
  db: Db,
  orgId: OrgId,
  ownerId: string,
  version: number,
): Promise<RulesRow | undefined> => (await rulesByVersion(db, orgId, ownerId, version))[0]

export const selectLastRulesVersion = async (db: Db, orgId: OrgId, ownerId: string): Promise<number> => {
  const { last } = await db
    .selectFrom('target_rules')
    .select(sql<number | null>`max(version)`.as('last'))
    .where('org_id', '=', orgId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

export const insertRules = (tx: Tx, orgId: OrgId, row: RulesRow): Promise<void> =>
  insertRows(tx, 'target_rules', [{ ...row, org_id: orgId }])

/** `used` are versions that stay, however old they are. */
export async function deleteRulesBelow(
  tx: Tx,
  orgId: OrgId,
  ownerId: string,
  version: number,
  used: ReadonlySet<number | null | undefined>,
): Promise<void> {
  const rows = await rulesOfOwner(tx, orgId, ownerId).select(['id', 'version']).where('version', '<', version).execute()
  await deleteRows(tx, orgId, 'target_rules', idsOf(rows.filter((row) => !used.has(row.version))))
}

/** Everything that is kept of an owner that is deleted. */
export async function deleteOwnerVersions(tx: Tx, orgId: OrgId, ownerId: string): Promise<void> {
  const versions = await ofOwner(tx, orgId, ownerId).select('id').execute()
  await deleteRows(tx, orgId, 'target_versions', idsOf(versions))
  await deleteRows(tx, orgId, 'target_rules', idsOf(await rulesOfOwner(tx, orgId, ownerId).select('id').execute()))
}

/** The versions of all organisations whose time has come, the earliest first. */
export const selectDue = (
  db: Db,
  now: string,
  limit: number,
): Promise<Pick<Row<'target_versions'>, 'org_id' | 'owner_kind' | 'owner_id' | 'id'>[]> =>
  db
    .selectFrom('target_versions')
    .select(['org_id', 'owner_kind', 'owner_id', 'id'])
    .where('state', 'is', null)
    .where('effective_at', '<=', now)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** When the next versions become effective, and of which organisations. */
export const selectNextDue = (
  db: Db,
  limit: number,
): Promise<Pick<Row<'target_versions'>, 'org_id' | 'effective_at'>[]> =>
  db
    .selectFrom('target_versions')
    .select(['org_id', 'effective_at'])
    .where('state', 'is', null)
    .orderBy('effective_at')
    .orderBy('id')
    .limit(limit)
    .execute()
