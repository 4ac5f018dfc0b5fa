import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  type Row,
  runWithoutResult,
  searchText,
  sortKey,
  type Tx,
  totalNamed,
  totalOf,
  whenTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const EXTERNAL_ID_INDEX = 'qr_groups_org_external_id_key'

const COLUMNS = columnsExcept('qr_groups', 'org_id', 'name_key', 'search_text')
export type QrGroupRow = Row<'qr_groups', typeof COLUMNS> & { qr_code_count: number }

const codeCount = (orgId: OrgId) =>
  totalNamed(orgId, sql`${sql.lit(totalOf('qr_codes', 'group_id', ''))} || qr_groups.id`).as('qr_code_count')

const from = (db: Db, orgId: OrgId) =>
  db.selectFrom('qr_groups').select(COLUMNS).select(codeCount(orgId)).where('org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => from(db, orgId).where('id', '=', id))

export const selectGroup = async (db: Db, orgId: OrgId, id: string): Promise<QrGroupRow | undefined> =>
  (await byId(db, orgId, id))[0]

const byExternalId = compiled((db: Db, orgId: OrgId, externalId: string) =>
  from(db, orgId).where('external_id', '=', externalId),
)

export const selectGroupByExternalId = async (
  db: Db,
  orgId: OrgId,
  externalId: string,
): Promise<QrGroupRow | undefined> => (await byExternalId(db, orgId, externalId))[0]

/** It is unique, so there is one group or none. */
export const countGroups = async (db: Db, orgId: OrgId, externalId: string): Promise<number> =>
  (await byExternalId(db, orgId, externalId)).length

export const selectGroups = (
  db: Db,
  orgId: OrgId,
  { external_id, sort }: { external_id: string | undefined; sort: 'recent' | 'name' },
  limit: number,
  offset: number,
): Promise<QrGroupRow[]> => {
  const groups = from(db, orgId)
    .$if(external_id !== undefined, (query) => query.where('external_id', '=', external_id as string))
    .limit(limit)
    .offset(offset)
  return sort === 'name'
    ? groups.orderBy('name_key').orderBy('id').execute()
    : groups.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

const toValues = ({ qr_code_count: _, ...row }: QrGroupRow) => ({
  ...row,
  name_key: sortKey(row.name),
  search_text: searchText(row.name, row.description, row.external_id),
})

export const insertGroup = async (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> => {
  const insert = tx.insertInto('qr_groups').values({ ...toValues(row), org_id: orgId })
  await runWithoutResult(tx, insert)
}

export const updateGroupRow = async (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> => {
  const { id, created_at: _, ...values } = toValues(row)
  const update = tx.updateTable('qr_groups').set(values).where('org_id', '=', orgId).where('id', '=', id)
  await runWithoutResult(tx, update, whenTaken(EXTERNAL_ID_INDEX, 'external_id', row.external_id))
}
