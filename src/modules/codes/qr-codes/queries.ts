import { insertRows, searchText, sortKey, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ScanCounters, type TargetColumns, type TargetStatus, targetTable } from '../target-tables/index.ts'

interface QrCodesTable extends TargetColumns {
  group_id: string | null
  public_slug: string
  name: string | null
  description: string | null
  status: TargetStatus
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    qr_codes: QrCodesTable
  }
}

const COLUMNS = [
  'id',
  'group_id',
  'public_slug',
  'name',
  'description',
  'status',
  'destination_type',
  'destination_id',
  'destination_url',
  'created_at',
  'updated_at',
] as const
export type NewQrCode = Pick<QrCodesTable, (typeof COLUMNS)[number]>
export type QrCodeRow = NewQrCode & ScanCounters

const codes = targetTable<QrCodeRow>('qr_codes', COLUMNS)

export const selectCode = codes.selectBy('id')
export const selectCodeBySlug = codes.selectBy('public_slug')
export const selectCodes = codes.selectPage
export const countCodes = codes.count
export const deleteCodeRow = codes.delete

const derived = ({ name, description, public_slug }: NewQrCode) => ({
  name_key: sortKey(name),
  search_text: searchText(name, description, public_slug),
})

export const insertCodes = async (tx: Tx, orgId: OrgId, rows: readonly NewQrCode[]): Promise<void> => {
  await insertRows(
    tx,
    'qr_codes',
    [...COLUMNS, 'org_id', 'name_key', 'search_text'],
    rows.map((row) => ({ ...row, ...derived(row), org_id: orgId })),
  )
}

export const updateCodeRow = (tx: Tx, orgId: OrgId, row: QrCodeRow): Promise<void> =>
  codes.update(tx, orgId, row, derived(row))

/** Removes every code from a group. */
export const clearGroup = async (tx: Tx, orgId: OrgId, groupId: string): Promise<void> => {
  await tx
    .updateTable('qr_codes')
    .set({ group_id: null })
    .where('org_id', '=', orgId)
    .where('group_id', '=', groupId)
    .execute()
}
