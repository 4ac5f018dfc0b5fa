import { insertRows, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export interface ImportedDay {
  target_id: string
  day: string
  scans: number
}

/** Replaces what was imported for these codes before. */
export async function replaceDays(tx: Tx, orgId: OrgId, days: readonly ImportedDay[]): Promise<void> {
  const ids = [...new Set(days.map(({ target_id }) => target_id))]
  if (ids.length === 0) return
  await tx.deleteFrom('imported_scan_days').where('org_id', '=', orgId).where('target_id', 'in', ids).execute()
  await insertRows(
    tx,
    'imported_scan_days',
    days.map((day) => ({ ...day, org_id: orgId })),
  )
}
