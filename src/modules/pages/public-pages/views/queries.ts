import {
  compiledStatement,
  insertMissingRows,
  isSqlite,
  type Row,
  runWithoutResult,
  type Tx,
} from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

/** Returns those that exist. On PostgreSQL, the deletion of one waits for the transaction. */
export async function lockOrganisations(tx: Tx, ids: readonly OrgId[]): Promise<Set<string>> {
  const rows = tx.selectFrom('organisations').select('id').where('id', 'in', ids).orderBy('id')
  const found = await (isSqlite(tx) ? rows : rows.forKeyShare()).execute()
  return new Set(found.map(({ id }) => id))
}

/** Returns the ids of the views that were not stored before. */
export const insertViews = (tx: Tx, rows: readonly Row<'page_views'>[]): Promise<string[]> =>
  insertMissingRows(tx, 'page_views', rows)

const addToCounter = compiledStatement((tx: Tx, orgId: OrgId, pageId: string, views: number) =>
  tx
    .updateTable('page_counters')
    .set((row) => ({ view_count: row('view_count', '+', views) }))
    .where('org_id', '=', orgId)
    .where('page_id', '=', pageId),
)

export const addViews = (tx: Tx, orgId: OrgId, pageId: string, views: number): Promise<void> =>
  runWithoutResult(tx, addToCounter(tx, orgId, pageId, views))
