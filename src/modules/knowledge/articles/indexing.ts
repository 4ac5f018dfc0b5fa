import { SECOND_MS, type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { indexArticles } from '../article-search/index.ts'
import { articleEvents } from './events.ts'
import { type ClaimedArticle, claimDue, isAnyDue, lockClaimed, selectTextsOf, setIndexing } from './indexing-queries.ts'
import { type ArticleRow, selectArticle } from './queries.ts'
import { toArticle } from './to-article.ts'

/**
 * A published article becomes `pending` when its searchable fields change, `processing` when a worker claims it, then
 * `indexed`, or `failed` after `ATTEMPTS_MAX` attempts. `indexing_due_at` is when a worker should look at it. A claim
 * sets it to the end of the lease, so the article becomes due again if the worker dies; a change sets it to another
 * time, so the worker sees that its claim is outdated.
 */

/** After this time another worker may claim the article. */
const LEASE_MS = 30 * SECOND_MS
const ATTEMPTS_MAX = 3
const RETRY_MS = 10 * SECOND_MS

/** The articles that one worker has leased. */
export interface Claim {
  /** The end of the lease. An article with another value has changed since it was claimed. */
  lease: Timestamp
  byOrganisation: Map<OrgId, string[]>
}

export async function claimForIndexing(database: Database, nowMs: number, limit: number): Promise<Claim> {
  const [now, lease] = [timestamp(nowMs), timestamp(nowMs + LEASE_MS)]
  const articles: ClaimedArticle[] = (await isAnyDue(database.read, now))
    ? await claimDue(database, now, lease, limit)
    : []
  const groups = Map.groupBy(articles, ({ org_id }) => org_id as OrgId)
  return { lease, byOrganisation: new Map([...groups].map(([orgId, rows]) => [orgId, rows.map(({ id }) => id)])) }
}

/** Indexes the claimed articles, all or none. Skips articles that have changed since: they are due again. */
export async function indexClaimed(
  tx: Tx,
  orgId: OrgId,
  ids: readonly string[],
  lease: Timestamp,
  now: Timestamp,
): Promise<void> {
  const rows = await selectClaimed(tx, orgId, ids, lease)
  if (rows.length === 0) return
  const texts = Map.groupBy(
    await selectTextsOf(
      tx,
      orgId,
      rows.map(({ id }) => id),
    ),
    ({ article_id }) => article_id,
  )
  await indexArticles(
    tx,
    orgId,
    rows.map(({ id, knowledge_base_id, visibility }) => ({
      id,
      knowledge_base_id,
      visibility,
      texts: (texts.get(id) ?? []).map(({ language, title, content_plain }) => ({
        language,
        title,
        plain: content_plain,
      })),
    })),
  )
  const isNew = ({ indexing_status }: ArticleRow) => indexing_status !== 'indexed'
  for (const row of rows) {
    const done = { indexing_status: 'indexed' as const, indexing_due_at: null, indexing_attempts: 0 }
    await setIndexing(tx, orgId, row.id, { ...done, ...(isNew(row) && { indexed_at: now }) })
  }
  const payloads = rows.filter(isNew).map((row) => toArticle({ ...row, indexing_status: 'indexed', indexed_at: now }))
  await emitAll(
    tx,
    articleEvents,
    payloads.map((payload) => ({ orgId, type: 'article.indexed' as const, payload })),
    now,
  )
}

/** Schedules a retry, or sets the article to `failed` after the last attempt. */
export async function failIndexing(
  tx: Tx,
  orgId: OrgId,
  id: string,
  lease: Timestamp,
  nowMs: number,
): Promise<'again' | 'given up' | 'changed'> {
  const [row] = await selectClaimed(tx, orgId, [id], lease)
  if (row === undefined) return 'changed'
  const indexing_attempts = row.indexing_attempts + 1
  if (indexing_attempts < ATTEMPTS_MAX) {
    const indexing_due_at = timestamp(nowMs + RETRY_MS * indexing_attempts)
    await setIndexing(tx, orgId, id, { indexing_status: 'pending', indexing_due_at, indexing_attempts })
    return 'again'
  }
  await setIndexing(tx, orgId, id, { indexing_status: 'failed', indexing_due_at: null, indexing_attempts })
  const payload = toArticle({ ...row, indexing_status: 'failed' })
  await emitAll(tx, articleEvents, [{ orgId, type: 'article.indexing_failed', payload }], timestamp(nowMs))
  return 'given up'
}

async function selectClaimed(tx: Tx, orgId: OrgId, ids: readonly string[], lease: Timestamp): Promise<ArticleRow[]> {
  const rows: ArticleRow[] = []
  for (const id of await lockClaimed(tx, orgId, ids, lease)) {
    const row = await selectArticle(tx, orgId, id)
    if (row !== undefined) rows.push(row)
  }
  return rows
}
