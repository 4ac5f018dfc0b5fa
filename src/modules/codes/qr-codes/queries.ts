import {
  columnsExcept,
  insertRows,
  type Row,
  searchText,
  sortKey,
  type Tx,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ScanCounters, targetTable } from '../target-tables/index.ts'

const COLUMNS = columnsExcept('qr_codes', 'org_id', 'name_key', 'search_text')
export type NewQrCode = Row<'qr_codes', typeof COLUMNS>
export type QrCodeRow = NewQrCode & ScanCounters

const codes = targetTable<QrCodeRow>('qr_codes', COLUMNS)

export const selectCode = codes.selectBy('id')
export const selectCodeBySlug = codes.selectBy('public_slug')
export const { selectAllBy: selectCodesBy, lockAllBy: lockCodesBy } = codes
export const selectCodes = codes.selectPage
export const countCodes = codes.count
export const deleteCodeRow = codes.delete

const derived = ({ name, description, public_slug, external_id }: NewQrCode) => ({
  name_key: sortKey(name),
  search_text: searchText(name, description, public_slug, external_id),
})

export const insertCodes = async (tx: Tx, orgId: OrgId, rows: readonly NewQrCode[]): Promise<void> => {
  await insertRows(
    tx,
    'qr_codes',
    rows.map((row) => ({ ...row, ...derived(row), org_id: orgId })),
  )
}

export const updateCodeRows = (tx: Tx, orgId: OrgId, rows: readonly QrCodeRow[]): Promise<void> =>
  codes.updateAll(
    tx,
    orgId,
    rows.map((row) => ({ ...row, ...derived(row) })),
  )

export const updateCodeRow = (tx: Tx, orgId: OrgId, row: QrCodeRow): Promise<void> =>
  unlessTaken(
    'qr_codes_org_external_id_key',
    'external_id',
    row.external_id,
    codes.update(tx, orgId, row, derived(row)),
  )

/** Removes every code from a group. */
export const clearGroup = async (tx: Tx, orgId: OrgId, groupId: string): Promise<void> => {
  await tx
    .updateTable('qr_codes')
    .set({ group_id: null })
    .where('org_id', '=', orgId)
    .where('group_id', '=', groupId)
    .execute()
}
