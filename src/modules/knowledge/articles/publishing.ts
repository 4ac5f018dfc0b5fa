import { announce, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { unindexArticles } from '../article-search/index.ts'
import type { ArticleRow } from './queries.ts'

/** Announced with the organisation as key when articles may be due for indexing. */
export const INDEXING_TOPIC = 'articles'

/** Sets `published_at` and the indexing columns of a new or changed article. */
export function withPublishingState(before: ArticleRow | undefined, after: ArticleRow, now: string): ArticleRow {
  if (after.status !== 'published') {
    return { ...after, indexing_status: 'not_started', indexing_due_at: null, indexing_attempts: 0, indexed_at: null }
  }
  const published = { ...after, published_at: after.published_at ?? now }
  return before !== undefined && isIndexedAlike(before, after) ? published : { ...published, ...queuedForIndexing(now) }
}

/** The columns that make an article due for indexing. */
export const queuedForIndexing = (now: string) =>
  ({ indexing_status: 'pending', indexing_due_at: now, indexing_attempts: 0 }) as const

const INDEXED_FIELDS = ['status', 'title', 'content', 'language', 'visibility', 'knowledge_base_id'] as const

const isIndexedAlike = (before: ArticleRow, after: ArticleRow): boolean =>
  INDEXED_FIELDS.every((name) => before[name] === after[name])

const SCOPE_FIELDS = ['status', 'visibility', 'knowledge_base_id'] as const

/**
 * Removes a published article from the index in this transaction if its status, visibility or knowledge base changed:
 * it must no longer be found in its old scope. Indexing the new state can wait for the worker.
 */
export async function updateIndex(tx: Tx, orgId: OrgId, before: ArticleRow, after: ArticleRow): Promise<void> {
  const isInSameScope = SCOPE_FIELDS.every((name) => before[name] === after[name])
  if (before.status === 'published' && !isInSameScope) await unindexArticles(tx, orgId, [before.id])
  if (after.indexing_due_at !== before.indexing_due_at) await announce(tx, INDEXING_TOPIC, [orgId])
}
