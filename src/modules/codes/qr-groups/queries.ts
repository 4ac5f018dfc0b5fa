import { compiled, type Db, searchText, sortKey, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface QrGroupsTable {
  id: string
  org_id: string
  name_key: string
  search_text: string
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
  created_at: string
  updated_at: string
  name: string
  description: string
  status: 'unconfigured' | 'active' | 'inactive' | 'archived'
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    qr_groups: QrGroupsTable
  }
}

const COLUMNS = [
  'id',
  'name',
  'description',
  'status',
  'destination_type',
  'destination_id',
  'destination_url',
  'created_at',
  'updated_at',
] as const
export type QrGroupRow = Pick<QrGroupsTable, (typeof COLUMNS)[number]>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('qr_groups').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectGroup = async (db: Db, orgId: OrgId, id: string): Promise<QrGroupRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectGroups = (
  db: Db,
  orgId: OrgId,
  sort: 'recent' | 'name',
  limit: number,
  offset: number,
): Promise<QrGroupRow[]> => {
  const groups = db.selectFrom('qr_groups').select(COLUMNS).where('org_id', '=', orgId).limit(limit).offset(offset)
  return sort === 'name'
    ? groups.orderBy('name_key').orderBy('id').execute()
    : groups.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
}

const derived = ({ name, description }: QrGroupRow) => ({
  name_key: sortKey(name),
  search_text: searchText(name, description),
})

export const insertGroup = async (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> => {
  await tx
    .insertInto('qr_groups')
    .values({ ...row, ...derived(row), org_id: orgId })
    .execute()
}

export const updateGroupRow = async (tx: Tx, orgId: OrgId, row: QrGroupRow): Promise<void> => {
  const { id, created_at: _, ...values } = row
  await tx
    .updateTable('qr_groups')
    .set({ ...values, ...derived(row) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

export const deleteGroupRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('qr_groups').where('org_id', '=', orgId).where('id', '=', id).execute()
}
