import { type Db, insertMissingRows, runWithoutResult, type Tx, upsertRows } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ScanTargetsTable {
  /** The key: kind and slug, as in `qr_code:aB3dE5gH`. */
  id: string
  org_id: string
  target_id: string
  /** Null once the target was deleted. The row stays, so that its slug is never used again. */
  rule: unknown
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    scan_targets: ScanTargetsTable
  }
}

export type ScanTargetRow = ScanTargetsTable

const COLUMNS = ['id', 'org_id', 'target_id', 'rule'] as const

/** The key is enough, without the organisation: a scanned URL does not name it. */
export const selectTargets = (db: Db, keys: readonly string[]): Promise<ScanTargetRow[]> =>
  db
    .selectFrom('scan_targets')
    .select(COLUMNS)
    .where('id', 'in', [...keys])
    .execute()

export const selectOwnTarget = (db: Db, orgId: OrgId, key: string): Promise<ScanTargetRow | undefined> =>
  db.selectFrom('scan_targets').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', key).executeTakeFirst()

/** Returns the keys that were inserted; keys that already exist are skipped. */
export const insertTargets = (tx: Tx, rows: readonly ScanTargetRow[]): Promise<string[]> =>
  insertMissingRows(tx, 'scan_targets', COLUMNS, rows)

export const upsertTarget = async (tx: Tx, row: ScanTargetRow): Promise<void> => {
  const { target_id, rule } = row
  const upsert = tx
    .insertInto('scan_targets')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ target_id, rule }))
  await runWithoutResult(tx, upsert)
}

export const upsertTargets = (tx: Tx, rows: readonly ScanTargetRow[]): Promise<void> =>
  upsertRows(tx, 'scan_targets', COLUMNS, rows)

export const clearTargets = async (tx: Tx, orgId: OrgId, keys: readonly string[]): Promise<void> => {
  await tx.updateTable('scan_targets').set({ rule: null }).where('org_id', '=', orgId).where('id', 'in', keys).execute()
}
