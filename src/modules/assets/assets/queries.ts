import { type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, insertRows, olderThan, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type Visibility = Row<'assets'>['visibility']

const COLUMNS = [
  'id',
  'name',
  'media_type',
  'size_bytes',
  'file_name',
  'unreferenced_since',
  'created_at',
  'width',
  'height',
] as const
export type AssetRow = Row<'assets', typeof COLUMNS>
export type NewAsset = Omit<Row<'assets'>, 'org_id' | 'stored_at'>

/** Must be literals, or the planner does not use the partial index. */
const IS_LISTED = sql<SqlBool>`visibility = 'public' and stored_at is not null`

/** Newest first. */
export const selectAssets = (db: Db, orgId: OrgId, after: Position | undefined, limit: number): Promise<AssetRow[]> =>
  db
    .selectFrom('assets')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where(IS_LISTED)
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** One that is listed. */
export const selectAsset = (db: Db, orgId: OrgId, id: string): Promise<AssetRow | undefined> =>
  db
    .selectFrom('assets')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where(IS_LISTED)
    .executeTakeFirst()

/** One that is stored, public or private. */
export const selectStored = (db: Db, orgId: OrgId, id: string): Promise<AssetRow | undefined> =>
  db
    .selectFrom('assets')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('stored_at', 'is not', null)
    .executeTakeFirst()

/** Those of the organisation's listed assets that have one of these names. */
export const selectIdsByName = async (db: Db, orgId: OrgId, names: readonly string[]): Promise<string[]> => {
  const rows = db
    .selectFrom('assets')
    .select('id')
    .where('org_id', '=', orgId)
    .where('name', 'in', [...names])
  return (await rows.where(IS_LISTED).execute()).map(({ id }) => id)
}

export const selectByName = (db: Db, orgId: OrgId, names: readonly string[]) =>
  db
    .selectFrom('assets')
    .select(['id', 'name', 'file_name', 'media_type'])
    .where('org_id', '=', orgId)
    .where('name', 'in', [...names])
    .where(IS_LISTED)
    .execute()

/** The names of stored public files with these contents. */
export const selectStoredNames = (db: Db, orgId: OrgId, hashes: readonly string[]) =>
  db
    .selectFrom('assets')
    .select(['hash', 'name'])
    .where('org_id', '=', orgId)
    .where('visibility', '=', 'public')
    .where('hash', 'in', [...hashes])
    .where('stored_at', 'is not', null)
    .execute()

/** The sizes of those of the organisation's listed images that have one of these names. */
export const selectSizes = (db: Db, orgId: OrgId, names: readonly string[]) =>
  db
    .selectFrom('assets')
    .select(['name', 'width', 'height'])
    .where('org_id', '=', orgId)
    .where('name', 'in', [...names])
    .where(IS_LISTED)
    .where('width', 'is not', null)
    .execute()

/** Files of all organisations whose size was not read yet. For the worker. */
export const selectUnmeasured = async (
  db: Db,
  limit: number,
): Promise<{ id: string; orgId: OrgId; name: string; media_type: string }[]> => {
  const rows = await db
    .selectFrom('assets')
    .select(['org_id', 'id', 'name', 'media_type'])
    .where(sql<SqlBool>`measured_at is null and stored_at is not null`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ org_id, ...row }) => ({ ...row, orgId: org_id }))
}

export const updateSize = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  size: { width: number | null; height: number | null },
  now: string,
): Promise<void> => {
  await tx
    .updateTable('assets')
    .set({ ...size, measured_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

export const insertAssets = (tx: Tx, orgId: OrgId, rows: readonly NewAsset[]): Promise<void> =>
  insertRows(
    tx,
    'assets',
    rows.map((row) => ({ ...row, org_id: orgId, stored_at: null })),
  )

/**
 * Finds stored assets by their content. One that nothing refers to is kept for another day from now on, and the row is
 * locked, so that it cannot have been deleted when the transaction ends.
 */
export const touchByHash = (
  tx: Tx,
  orgId: OrgId,
  visibility: Visibility,
  hashes: readonly string[],
  isUpload: boolean,
  now: string,
): Promise<(AssetRow & { hash: string | null })[]> =>
  tx
    .updateTable('assets')
    .set((eb) => ({
      // Null first, as a column: PostgreSQL takes the type from it.
      unreferenced_since: eb
        .case()
        .when('unreferenced_since', 'is', null)
        .then(eb.ref('unreferenced_since'))
        .else(now)
        .end(),
      ...(isUpload && { is_upload: true }),
    }))
    .where('org_id', '=', orgId)
    .where('visibility', '=', visibility)
    .where('hash', 'in', [...hashes])
    .where('stored_at', 'is not', null)
    .returning([...COLUMNS, 'hash'])
    .execute()

/** Returns how many there were. */
export const markStored = async (tx: Tx, orgId: OrgId, ids: readonly string[], now: string): Promise<number> => {
  const rows = await tx
    .updateTable('assets')
    .set({ stored_at: now })
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .returning('id')
    .execute()
  return rows.length
}

/** Deletes assets that nothing has used yet. Returns the names of their files. */
export const deleteUnstored = async (tx: Tx, orgId: OrgId, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx
    .deleteFrom('assets')
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .where('stored_at', 'is', null)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** Those that nothing has referred to since before this time, the oldest first. For the worker. */
export const selectExpired = async (db: Db, before: string, limit: number): Promise<{ id: string; orgId: OrgId }[]> => {
  const rows = await db
    .selectFrom('assets')
    .select(['org_id', 'id'])
    .where('unreferenced_since', '<=', before)
    .orderBy('unreferenced_since')
    .limit(limit)
    .execute()
  return rows.map(({ org_id, id }) => ({ id, orgId: org_id }))
}

interface Deleted {
  id: string
  name: string
  visibility: Visibility
  stored_at: string | null
}

/** Deletes those of these assets that nothing refers to. They must be locked. */
export const deleteUnreferenced = (
  tx: Tx,
  orgId: OrgId,
  ids: readonly string[],
  { withUploads }: { withUploads: boolean },
): Promise<Deleted[]> =>
  tx
    .deleteFrom('assets')
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .$if(!withUploads, (query) => query.where('is_upload', '=', false))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('asset_references')
            .select('asset_id')
            .where('asset_references.org_id', '=', orgId)
            .whereRef('asset_references.asset_id', '=', 'assets.id'),
        ),
      ),
    )
    .returning(['id', 'name', 'visibility', 'stored_at'])
    .execute()

/** Deletes some assets of an organisation that is being deleted. Returns the names of their files. */
export const deleteSome = async (tx: Tx, orgId: OrgId, limit: number): Promise<string[]> => {
  const some = tx.selectFrom('assets').select('id').where('org_id', '=', orgId).limit(limit)
  const rows = await tx
    .deleteFrom('assets')
    .where('org_id', '=', orgId)
    .where('id', 'in', some)
    .returning('name')
    .execute()
  return rows.map(({ name }) => name)
}

/** How many files all organisations have, for the operator. */
export const countAllStored = async (db: Db): Promise<{ count: number; bytes: number }> => {
  const { count, bytes } = await db
    .selectFrom('assets')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number>('size_bytes').as('bytes')])
    .where('stored_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), bytes: Number(bytes ?? 0) }
}

/** Whether an asset of any organisation has this file. A restore asks this. */
export const isNamed = async (db: Db, name: string): Promise<boolean> =>
  (await db.selectFrom('assets').select('id').where('name', '=', name).executeTakeFirst()) !== undefined

/** All stored files of all organisations, for backups, in the order of their ids. */
export const selectAllStored = (
  db: Db,
  after: string | undefined,
  limit: number,
): Promise<{ id: string; name: string; media_type: string; size_bytes: number }[]> =>
  db
    .selectFrom('assets')
    .select(['id', 'name', 'media_type', 'size_bytes'])
    .where('stored_at', 'is not', null)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute()
