import { type Db, insertMissingRows, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ScanTargetsTable {
  /** Its kind and slug: `qr_code:aB3dE5gH`. */
  id: string
  org_id: string
  target_id: string
  /** Null once the target was deleted; the row stays, so that its slug is never given out again. */
  rule: unknown
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    scan_targets: ScanTargetsTable
  }
}

export type ScanTargetRow = ScanTargetsTable

/** By key alone: whoever scans a code does not say whose it is. */
export const selectTargets = (db: Db, keys: readonly string[]): Promise<ScanTargetRow[]> =>
  db
    .selectFrom('scan_targets')
    .select(['id', 'org_id', 'target_id', 'rule'])
    .where('id', 'in', [...keys])
    .execute()

export const selectOwnTarget = (db: Db, orgId: OrgId, key: string): Promise<ScanTargetRow | undefined> =>
  db
    .selectFrom('scan_targets')
    .select(['id', 'org_id', 'target_id', 'rule'])
    .where('org_id', '=', orgId)
    .where('id', '=', key)
    .executeTakeFirst()

/** Answers the keys that nobody ever had. */
export const insertTargets = (tx: Tx, rows: readonly ScanTargetRow[]): Promise<string[]> =>
  insertMissingRows(tx, 'scan_targets', rows)

export const upsertTarget = async (tx: Tx, row: ScanTargetRow): Promise<void> => {
  const { target_id, rule } = row
  await tx
    .insertInto('scan_targets')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ target_id, rule }))
    .execute()
}

export const clearTarget = async (tx: Tx, orgId: OrgId, key: string): Promise<void> => {
  await tx.updateTable('scan_targets').set({ rule: null }).where('org_id', '=', orgId).where('id', '=', key).execute()
}
