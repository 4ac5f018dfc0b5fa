import { ConstraintViolation } from '../../../platform/db/failures.ts'
import {
  columnsOf,
  type Db,
  insertDrawnRows,
  insertMissingRows,
  insertRows,
  type Row,
  runWithoutResult,
  type Tx,
  upsertRows,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export type ScanTargetRow = Row<'scan_targets'>

const COLUMNS = columnsOf('scan_targets')

/** The key is enough, without the organisation: a scanned URL does not name it. */
export const selectTargets = (db: Db, keys: readonly string[]): Promise<ScanTargetRow[]> =>
  db
    .selectFrom('scan_targets')
    .select(COLUMNS)
    .where('id', 'in', [...keys])
    .execute()

export const selectOwnTarget = (db: Db, orgId: OrgId, key: string): Promise<ScanTargetRow | undefined> =>
  db.selectFrom('scan_targets').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', key).executeTakeFirst()

export const selectOwnKeys = async (db: Db, orgId: OrgId, keys: readonly string[]): Promise<string[]> => {
  const rows = db.selectFrom('scan_targets').select('id').where('org_id', '=', orgId)
  return (await rows.where('id', 'in', [...keys]).execute()).map(({ id }) => id)
}

/** Returns the keys that were inserted; keys that already exist are skipped. */
export const insertTargets = (tx: Tx, rows: readonly ScanTargetRow[]): Promise<string[]> =>
  insertMissingRows(tx, 'scan_targets', rows)

/** The same for keys that were drawn at random. */
export const insertDrawnTargets = (tx: Tx, rows: readonly ScanTargetRow[]): Promise<string[]> =>
  insertDrawnRows(tx, 'scan_targets', rows)

/** Another target has the drawn slug. The transaction has failed, and can run again with another slug. */
export class DrawnSlugTaken extends Error {}

/** The same for a single one, without waiting for it: if its key exists, the transaction fails with `DrawnSlugTaken`. */
export const insertDrawnTarget = (tx: Tx, row: ScanTargetRow): Promise<void> =>
  insertRows(tx, 'scan_targets', [row], (error) =>
    error instanceof ConstraintViolation && error.constraint === 'scan_targets_pkey' ? new DrawnSlugTaken() : error,
  )

export const upsertTarget = async (tx: Tx, row: ScanTargetRow): Promise<void> => {
  const { target_id, rule } = row
  const upsert = tx
    .insertInto('scan_targets')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ target_id, rule }))
  await runWithoutResult(tx, upsert)
}

export const upsertTargets = (tx: Tx, rows: readonly ScanTargetRow[]): Promise<void> =>
  upsertRows(tx, 'scan_targets', rows)

export const clearTargets = async (tx: Tx, orgId: OrgId, keys: readonly string[]): Promise<void> => {
  const clear = tx.updateTable('scan_targets').set({ rule: null }).where('org_id', '=', orgId).where('id', 'in', keys)
  await runWithoutResult(tx, clear)
}

/** Belongs to no organisation any more. Returns the hashes that exist. */
export const selectRetired = async (db: Db, hashes: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('retired_slugs').select('id').where('id', 'in', hashes).execute()
  return rows.map(({ id }) => id)
}
