import { sql } from 'kysely'
import {
  compiled,
  containsFolded,
  type Db,
  insertRows,
  searchText,
  sortKey,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface QrCodesTable {
  id: string
  org_id: string
  name_key: string
  search_text: string
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
  created_at: string
  updated_at: string
  group_id: string | null
  public_slug: string
  name: string | null
  description: string | null
  status: 'unconfigured' | 'active' | 'inactive' | 'archived'
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    qr_codes: QrCodesTable
  }
}

const OWN = [
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
/** What the code itself has, without its counters. */
export type NewQrCode = Pick<QrCodesTable, (typeof OWN)[number]>

const COLUMNS = [...OWN.map((name) => `qr_codes.${name}` as const), 'total_scans', 'last_scanned_at'] as const
export type QrCodeRow = NewQrCode & { total_scans: number; last_scanned_at: string | null }

const from = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('qr_codes')
    .innerJoin('scan_totals', 'scan_totals.target_id', 'qr_codes.id')
    .select(COLUMNS)
    .where('qr_codes.org_id', '=', orgId)

/** The same, from the counters to the codes: SQLite reads a cross join in the order in which it is written. */
const fromTotals = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('scan_totals')
    .crossJoin('qr_codes')
    .select(COLUMNS)
    .whereRef('qr_codes.id', '=', 'scan_totals.target_id')
    .where('scan_totals.org_id', '=', orgId)
    .where('kind', '=', 'qr_code')
    .where('qr_codes.org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => from(db, orgId).where('qr_codes.id', '=', id))
const bySlug = compiled((db: Db, orgId: OrgId, slug: string) => from(db, orgId).where('public_slug', '=', slug))

export const selectCode = async (db: Db, orgId: OrgId, id: string): Promise<QrCodeRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectCodeBySlug = async (db: Db, orgId: OrgId, slug: string): Promise<QrCodeRow | undefined> =>
  (await bySlug(db, orgId, slug))[0]

export interface QrCodeFilters {
  group_id?: string | undefined
  status?: QrCodesTable['status'] | undefined
  search?: string | undefined
}

/** Written out, not as a value: an index that holds only these rows is used only when the text says the same. */
const LISTED = sql<boolean>`"qr_codes"."status" <> 'archived'`

type Codes = ReturnType<typeof from>

/** Whatever the status is. */
const matching = (codes: Codes, { group_id, search }: QrCodeFilters): Codes =>
  codes
    .$if(group_id !== undefined, (query) => query.where('group_id', '=', group_id as string))
    .$if(Boolean(search), (query) => query.where(containsFolded('search_text', search ?? '')))

const filtered = (db: Db, orgId: OrgId, filters: QrCodeFilters): Codes => {
  const { status } = filters
  const codes = matching(from(db, orgId), filters)
  return status === undefined ? codes.where(LISTED) : codes.where('status', '=', status)
}

/** The counters know themselves whether their code is archived. */
const mostScanned = (db: Db, orgId: OrgId, filters: QrCodeFilters): Codes => {
  const { status } = filters
  const codes = matching(fromTotals(db, orgId), filters).where('archived', '=', status === 'archived')
  const sorted = codes.orderBy('total_scans', 'desc').orderBy('scan_totals.target_id', 'desc')
  return status === undefined || status === 'archived' ? sorted : sorted.where('status', '=', status)
}

export const selectCodes = (
  db: Db,
  orgId: OrgId,
  filters: QrCodeFilters,
  sort: 'recent' | 'name' | 'scans',
  limit: number,
  offset: number,
): Promise<QrCodeRow[]> => {
  const codes =
    sort === 'scans'
      ? mostScanned(db, orgId, filters)
      : sort === 'name'
        ? filtered(db, orgId, filters).orderBy('name_key').orderBy('qr_codes.id')
        : filtered(db, orgId, filters).orderBy('qr_codes.created_at', 'desc').orderBy('qr_codes.id', 'desc')
  return codes.limit(limit).offset(offset).execute()
}

export const countCodes = async (db: Db, orgId: OrgId, filters: QrCodeFilters): Promise<number> => {
  const { count } = await filtered(db, orgId, filters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const derived = ({ name, description, public_slug }: NewQrCode) => ({
  name_key: sortKey(name),
  search_text: searchText(name, description, public_slug),
})

export const insertCodes = async (tx: Tx, orgId: OrgId, rows: readonly NewQrCode[]): Promise<void> => {
  await insertRows(
    tx,
    'qr_codes',
    rows.map((row) => ({ ...row, ...derived(row), org_id: orgId })),
  )
}

export const updateCodeRow = async (tx: Tx, orgId: OrgId, row: QrCodeRow): Promise<void> => {
  const { id, created_at: _, total_scans: __, last_scanned_at: ___, ...values } = row
  await tx
    .updateTable('qr_codes')
    .set({ ...values, ...derived(row) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

export const deleteCodeRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('qr_codes').where('org_id', '=', orgId).where('id', '=', id).execute()
}

export const clearGroup = async (tx: Tx, orgId: OrgId, groupId: string): Promise<void> => {
  await tx
    .updateTable('qr_codes')
    .set({ group_id: null })
    .where('org_id', '=', orgId)
    .where('group_id', '=', groupId)
    .execute()
}
