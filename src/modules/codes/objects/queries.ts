import {
  compiled,
  containsFolded,
  type Db,
  insertMissingRows,
  searchText,
  sortKey,
  type Tx,
  unlessTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ObjectsTable {
  id: string
  org_id: string
  name_key: string
  search_text: string
  destination_type: string | null
  destination_id: string | null
  destination_url: string | null
  created_at: string
  updated_at: string
  type: string
  external_id: string | null
  public_slug: string
  name: string | null
  description: string | null
  metadata: Record<string, unknown>
  is_active: boolean
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    objects: ObjectsTable
  }
}

const OWN = [
  'id',
  'type',
  'external_id',
  'public_slug',
  'name',
  'description',
  'metadata',
  'is_active',
  'destination_type',
  'destination_id',
  'destination_url',
  'created_at',
  'updated_at',
] as const
/** What the object itself has, without its counters. */
export type NewObject = Pick<ObjectsTable, (typeof OWN)[number]>

const COLUMNS = [...OWN.map((name) => `objects.${name}` as const), 'total_scans', 'last_scanned_at'] as const
export type ObjectRow = NewObject & { total_scans: number; last_scanned_at: string | null }

const from = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('objects')
    .innerJoin('scan_totals', 'scan_totals.target_id', 'objects.id')
    .select(COLUMNS)
    .where('objects.org_id', '=', orgId)

/** The same, from the counters to the objects: SQLite reads a cross join in the order in which it is written. */
const fromTotals = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('scan_totals')
    .crossJoin('objects')
    .select(COLUMNS)
    .whereRef('objects.id', '=', 'scan_totals.target_id')
    .where('scan_totals.org_id', '=', orgId)
    .where('kind', '=', 'object')
    .where('archived', '=', false)
    .where('objects.org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => from(db, orgId).where('objects.id', '=', id))
const byExternalId = compiled((db: Db, orgId: OrgId, externalId: string) =>
  from(db, orgId).where('external_id', '=', externalId),
)

export const selectObject = async (db: Db, orgId: OrgId, id: string): Promise<ObjectRow | undefined> =>
  (await byId(db, orgId, id))[0]

export const selectObjectByExternalId = async (
  db: Db,
  orgId: OrgId,
  externalId: string,
): Promise<ObjectRow | undefined> => (await byExternalId(db, orgId, externalId))[0]

export interface ObjectFilters {
  type?: string | undefined
  external_id?: string | undefined
  is_active?: boolean | undefined
  search?: string | undefined
}

type Objects = ReturnType<typeof from>

const matching = (objects: Objects, { type, external_id, is_active, search }: ObjectFilters): Objects =>
  objects
    .$if(type !== undefined, (query) => query.where('type', '=', type as string))
    .$if(external_id !== undefined, (query) => query.where('external_id', '=', external_id as string))
    .$if(is_active !== undefined, (query) => query.where('is_active', '=', is_active as boolean))
    .$if(Boolean(search), (query) => query.where(containsFolded('search_text', search ?? '')))

export const selectObjects = (
  db: Db,
  orgId: OrgId,
  filters: ObjectFilters,
  sort: 'recent' | 'name' | 'type' | 'scans',
  limit: number,
  offset: number,
): Promise<ObjectRow[]> => {
  const objects = matching(sort === 'scans' ? fromTotals(db, orgId) : from(db, orgId), filters)
    .limit(limit)
    .offset(offset)
  if (sort === 'name') return objects.orderBy('name_key').orderBy('objects.id').execute()
  if (sort === 'scans') return objects.orderBy('total_scans', 'desc').orderBy('scan_totals.target_id', 'desc').execute()
  return objects
    .$if(sort === 'type', (query) => query.orderBy('type'))
    .orderBy('objects.created_at', 'desc')
    .orderBy('objects.id', 'desc')
    .execute()
}

export const countObjects = async (db: Db, orgId: OrgId, filters: ObjectFilters): Promise<number> => {
  const { count } = await matching(from(db, orgId), filters)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const derived = ({ name, external_id }: NewObject) => ({
  name_key: sortKey(name),
  search_text: searchText(name, external_id),
})

/** Answers false when another object has its external id already. */
export const insertObject = async (tx: Tx, orgId: OrgId, row: NewObject): Promise<boolean> =>
  (await insertMissingRows(tx, 'objects', [{ ...row, ...derived(row), org_id: orgId }])).length > 0

export const updateObjectRow = async (tx: Tx, orgId: OrgId, row: ObjectRow): Promise<void> => {
  const { id, created_at: _, total_scans: __, last_scanned_at: ___, ...values } = row
  const update = tx
    .updateTable('objects')
    .set({ ...values, ...derived(row) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
  await unlessTaken('objects_org_external_id_key', 'external_id', row.external_id, update.execute())
}

export const deleteObjectRow = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('objects').where('org_id', '=', orgId).where('id', '=', id).execute()
}
