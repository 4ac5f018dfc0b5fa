import { insertRows, searchText, sortKey, type Tx, unlessTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ScanCounters, type TargetColumns, targetTable } from '../target-tables/index.ts'

interface ObjectsTable extends TargetColumns {
  type: string
  external_id: string | null
  /** The path of a GS1 key without the first slash, such as `8004/…`, in its canonical form. */
  gs1_key: string | null
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

const COLUMNS = [
  'id',
  'type',
  'external_id',
  'gs1_key',
  'public_slug',
  'name',
  'description',
  'metadata',
  'is_active',
  'destination_type',
  'destination_id',
  'destination_url',
  'destination_article_id',
  'created_at',
  'updated_at',
] as const
export type NewObject = Pick<ObjectsTable, (typeof COLUMNS)[number]>
export type ObjectRow = NewObject & ScanCounters

const objects = targetTable<ObjectRow>('objects', COLUMNS)

export const selectObject = objects.selectBy('id')
export const { selectAllBy: selectObjectsBy, lockAllBy: lockObjectsBy } = objects
export const selectObjects = objects.selectPage
export const countObjects = objects.count
export const deleteObjectRow = objects.delete

const derived = ({ name, external_id }: NewObject) => ({
  name_key: sortKey(name),
  search_text: searchText(name, external_id),
})

export const insertObjects = (tx: Tx, orgId: OrgId, rows: readonly NewObject[]): Promise<void> =>
  insertRows(
    tx,
    'objects',
    [...COLUMNS, 'org_id', 'name_key', 'search_text'],
    rows.map((row) => ({ ...row, ...derived(row), org_id: orgId })),
  )

export const updateObjectRows = (tx: Tx, orgId: OrgId, rows: readonly ObjectRow[]): Promise<void> =>
  objects.updateAll(
    tx,
    orgId,
    rows.map((row) => ({ ...row, ...derived(row) })),
  )

/** A conflict reports the GS1 key as the caller sent it. */
export const updateObjectRow = (
  tx: Tx,
  orgId: OrgId,
  row: ObjectRow,
  sentGs1Key: string | null | undefined,
): Promise<void> =>
  unlessTaken(
    'objects_org_gs1_key_key',
    'gs1_key',
    sentGs1Key,
    unlessTaken(
      'objects_org_external_id_key',
      'external_id',
      row.external_id,
      objects.update(tx, orgId, row, derived(row)),
    ),
  )
