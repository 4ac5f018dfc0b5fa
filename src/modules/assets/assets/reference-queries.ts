import { type Db, insertRows, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** What refers to assets. */
export interface AssetOwner {
  /** Such as `article`. */
  kind: string
  id: string
}

export const selectReferences = async (db: Db, orgId: OrgId, { kind, id }: AssetOwner): Promise<string[]> => {
  const rows = await db
    .selectFrom('asset_references')
    .select('asset_id')
    .where('org_id', '=', orgId)
    .where('owner_kind', '=', kind)
    .where('owner_id', '=', id)
    .execute()
  return rows.map(({ asset_id }) => asset_id)
}

/** Returns the assets that these owners refer to. */
export const selectReferencesOf = async (
  db: Db,
  orgId: OrgId,
  kind: string,
  ownerIds: readonly string[],
): Promise<string[]> => {
  const rows = await db
    .selectFrom('asset_references')
    .select('asset_id')
    .distinct()
    .where('org_id', '=', orgId)
    .where('owner_kind', '=', kind)
    .where('owner_id', 'in', [...ownerIds])
    .execute()
  return rows.map(({ asset_id }) => asset_id)
}

export const isReferenced = async (db: Db, orgId: OrgId, assetId: string): Promise<boolean> => {
  const reference = db.selectFrom('asset_references').select('asset_id').where('org_id', '=', orgId)
  return (await reference.where('asset_id', '=', assetId).limit(1).executeTakeFirst()) !== undefined
}

export const insertReferences = (
  tx: Tx,
  orgId: OrgId,
  { kind, id }: AssetOwner,
  assetIds: readonly string[],
): Promise<void> =>
  insertRows(
    tx,
    'asset_references',
    assetIds.map((asset_id) => ({ org_id: orgId, owner_kind: kind, owner_id: id, asset_id })),
  )

export const deleteReferences = async (
  tx: Tx,
  orgId: OrgId,
  kind: string,
  ownerIds: readonly string[],
  assetIds: readonly string[],
): Promise<void> => {
  const references = tx.deleteFrom('asset_references').where('org_id', '=', orgId).where('owner_kind', '=', kind)
  await runWithoutResult(tx, references.where('owner_id', 'in', [...ownerIds]).where('asset_id', 'in', [...assetIds]))
}

export const clearUnreferenced = async (tx: Tx, orgId: OrgId, assetIds: readonly string[]): Promise<void> => {
  await tx
    .updateTable('assets')
    .set({ unreferenced_since: null })
    .where('org_id', '=', orgId)
    .where('id', 'in', [...assetIds])
    .execute()
}

/** Marks those of these assets that nothing refers to any more. They must be locked. */
export const setUnreferenced = async (
  tx: Tx,
  orgId: OrgId,
  assetIds: readonly string[],
  now: string,
): Promise<void> => {
  const unreferenced = tx
    .updateTable('assets')
    .set({ unreferenced_since: now })
    .where('org_id', '=', orgId)
    .where('id', 'in', [...assetIds])
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
  await runWithoutResult(tx, unreferenced)
}
