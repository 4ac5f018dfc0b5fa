import {
  columnsExcept,
  type Db,
  insertRows,
  type Row,
  searchText,
  sortKey,
  type Tx,
  updateRows,
  whenTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ScanCounters, targetTable } from '../target-tables/index.ts'

const COLUMNS = columnsExcept('qr_codes', 'org_id', 'name_key', 'search_text')
export type NewQrCode = Row<'qr_codes', typeof COLUMNS>
export type QrCodeRow = NewQrCode & ScanCounters

const codes = targetTable<QrCodeRow>('qr_codes', COLUMNS)

export const selectCode = codes.selectBy('id')
/** Several, if domains of the organisation have codes with the same slug. */
export const selectCodesBySlug = codes.selectEachBy('public_slug')
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
  codes.update(tx, orgId, row, derived(row), whenTaken('qr_codes_org_external_id_key', 'external_id', row.external_id))

/** Removes every code from a group or object. Each is a row of the statement, so that many can be written in pieces. */
export async function clearParent(
  tx: Tx,
  orgId: OrgId,
  column: 'group_id' | 'object_id',
  parentId: string,
): Promise<void> {
  const codes = tx.selectFrom('qr_codes').select('id').where('org_id', '=', orgId).where(column, '=', parentId)
  const cleared = (await codes.execute()).map(({ id }) => ({ id, [column]: null }))
  await updateRows(tx, orgId, 'qr_codes', [column], cleared as never)
}

/** Whether a code of this domain alone exists. */
export async function hasCodesOn(db: Db, orgId: OrgId, domainId: string): Promise<boolean> {
  const rows = db.selectFrom('qr_codes').select('id').where('org_id', '=', orgId).where('domain_id', '=', domainId)
  return (await rows.limit(1).executeTakeFirst()) !== undefined
}

/** Whether visitors of this domain meet a code at this part of a path, or below it. */
export async function hasCodeAt(db: Db, orgId: OrgId, domainId: string, part: string): Promise<boolean> {
  const codes = db.selectFrom('qr_codes').select('id').where('org_id', '=', orgId)
  const here = codes
    .where('public_slug', '=', part)
    .where((eb) => eb.or([eb('domain_id', 'is', null), eb('domain_id', '=', domainId)]))
  // `0` follows `/`.
  const below = codes
    .where('domain_id', '=', domainId)
    .where('public_slug', '>', `${part}/`)
    .where('public_slug', '<', `${part}0`)
  for (const found of [here, below]) if ((await found.limit(1).executeTakeFirst()) !== undefined) return true
  return false
}

/** The slugs on a domain that follow this one, in order. */
export const selectSlugsOn = async (
  db: Db,
  orgId: OrgId,
  domainId: string,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = db
    .selectFrom('qr_codes')
    .select('public_slug')
    .where('org_id', '=', orgId)
    .where('domain_id', '=', domainId)
    .where('public_slug', '>', after)
  return (await rows.orderBy('public_slug').limit(limit).execute()).map(({ public_slug }) => public_slug)
}
