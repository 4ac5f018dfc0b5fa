import { type SqlBool, sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  type Db,
  insertRows,
  type Row,
  searchText,
  sortKey,
  type Tx,
  whenTaken,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ScanCounters, targetTable } from '../target-tables/index.ts'

const COLUMNS = columnsExcept('objects', 'org_id', 'name_key', 'search_text')
export type NewObject = Row<'objects', typeof COLUMNS>
export type ObjectRow = NewObject & ScanCounters

const objects = targetTable<ObjectRow>('objects', COLUMNS)

export const selectObject = objects.selectBy('id')
export const { selectAllBy: selectObjectsBy, lockAllBy: lockObjectsBy } = objects
export const selectObjects = objects.selectPage
export const countObjects = objects.count

// Must be a literal, or the planner does not use the partial index.
const IS_PREFIX = sql<SqlBool>`gs1_key like '%{rest}'`

/** The GS1 keys that stand for all which begin like them. */
export const selectGs1KeyPrefixes = compiled((db: Db, orgId: OrgId) =>
  db.selectFrom('objects').select('gs1_key').where('org_id', '=', orgId).where(IS_PREFIX),
)

export const countGs1KeyPrefixes = async (db: Db, orgId: OrgId): Promise<number> =>
  (await selectGs1KeyPrefixes(db, orgId)).length

const derived = ({ name, external_id }: NewObject) => ({
  name_key: sortKey(name),
  search_text: searchText(name, external_id),
})

export const insertObjects = (tx: Tx, orgId: OrgId, rows: readonly NewObject[]): Promise<void> =>
  insertRows(
    tx,
    'objects',
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
): Promise<void> => {
  const whenIdTaken = whenTaken('objects_org_external_id_key', 'external_id', row.external_id)
  const whenKeyTaken = whenTaken('objects_org_gs1_key_key', 'gs1_key', sentGs1Key)
  return objects.update(tx, orgId, row, derived(row), (error) => whenKeyTaken(whenIdTaken(error)))
}
