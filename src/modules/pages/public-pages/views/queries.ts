import { compiledStatement, insertMissingRows, runWithoutResult, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

export interface PageViewsTable {
  org_id: string
  /** Starts with the time of the view. */
  id: string
  page_id: string
  viewed_at: string
}

declare module '../../../../platform/db/types.ts' {
  interface Tables {
    page_views: PageViewsTable
  }
}

export const VIEW_COLUMNS = ['org_id', 'id', 'page_id', 'viewed_at'] as const

/** Returns the ids of the views that were not stored before. */
export const insertViews = (tx: Tx, rows: readonly PageViewsTable[]): Promise<string[]> =>
  insertMissingRows(tx, 'page_views', VIEW_COLUMNS, rows)

const addToCounter = compiledStatement((tx: Tx, orgId: OrgId, pageId: string, views: number) =>
  tx
    .updateTable('page_counters')
    .set((row) => ({ view_count: row('view_count', '+', views) }))
    .where('org_id', '=', orgId)
    .where('page_id', '=', pageId),
)

export const addViews = (tx: Tx, orgId: OrgId, pageId: string, views: number): Promise<void> =>
  runWithoutResult(tx, addToCounter(tx, orgId, pageId, views))
