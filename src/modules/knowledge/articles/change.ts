import { announce, type Db, lockRow, lockRows, type Tx } from '../../../platform/db/index.ts'
import { buryAll, missing } from '../../../platform/db/tombstones.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emitAll } from '../../../platform/outbox/index.ts'
import { unindexArticles } from '../article-search/index.ts'
import type { Article } from './contract.ts'
import { articleEvents } from './events.ts'
import {
  type ArticleHead,
  type ArticleRow,
  deleteArticleRows,
  selectArticle,
  selectHead,
  selectIdsIn,
  updateArticleRow,
  updateTextRow,
} from './queries.ts'
import { insertVersion } from './version-queries.ts'

/** Told to whoever keeps the search index: there may be something to do. The key is the organisation. */
export const INDEXING_TOPIC = 'articles'

/** An article by its id; throws the error of one that is not there. */
export async function requireArticle(db: Db, orgId: OrgId, id: string): Promise<ArticleRow> {
  const row = await selectArticle(db, orgId, id)
  if (row === undefined) throw await missing(db, orgId, 'article', id)
  return row
}

/** The same without its text, for reading what belongs to it. */
export async function requireHead(db: Db, orgId: OrgId, id: string): Promise<ArticleHead> {
  const head = await selectHead(db, orgId, id)
  if (head === undefined) throw await missing(db, orgId, 'article', id)
  return head
}

/** An article, and nobody else changes it until the transaction ends. */
export async function lockArticle(tx: Tx, orgId: OrgId, id: string): Promise<ArticleRow> {
  await lockRow(tx, orgId, 'articles', id)
  return requireArticle(tx, orgId, id)
}

interface Change {
  /** What has changed beside the article's own fields, such as its tags. */
  beside?: Record<string, { from: unknown; to: unknown }>
  /** Why the text that it had is kept. */
  summary?: string
}

/**
 * Every change of an article ends here: the text that it had is kept, the index is told, and it happens as an event.
 * The row must be locked. Answers what now stands.
 */
export async function changeArticle(
  tx: Tx,
  ctx: Context,
  row: ArticleRow,
  input: Partial<ArticleRow>,
  { beside, summary = 'Auto-snapshot before API update' }: Change = {},
): Promise<ArticleRow> {
  const asked = { ...row, ...input }
  const isRewritten = asked.title !== row.title || asked.content !== row.content
  const wanted = settlePublishing(
    row,
    {
      ...asked,
      version_number: asked.version_number + (isRewritten ? 1 : 0),
      revision: row.revision + (isRewritten ? 1 : 0),
    },
    ctx.now,
  )
  const changes = { ...changesOf(toArticle(row), toArticle(wanted)), ...beside }
  if (Object.keys(changes).length === 0) return row
  const changed = { ...wanted, updated_at: ctx.now }
  if (isRewritten) await insertVersion(tx, ctx.orgId, row, summary, ctx.now)
  await updateArticleRow(tx, ctx.orgId, changed)
  if (isRewritten || changed.language !== row.language) await updateTextRow(tx, ctx.orgId, changed, row.language)
  await followIndex(tx, ctx.orgId, row, changed)
  await emitChange(tx, ctx, row, changed, changes)
  return changed
}

/** What the states of an article become by a change of its other fields. */
export function settlePublishing(before: ArticleRow | undefined, after: ArticleRow, now: string): ArticleRow {
  if (after.status !== 'published') {
    return { ...after, indexing_status: 'not_started', indexing_due_at: null, indexing_attempts: 0, indexed_at: null }
  }
  const published = { ...after, published_at: after.published_at ?? now }
  return before !== undefined && isIndexedAlike(before, after) ? published : { ...published, ...awaitIndexing(now) }
}

/** What makes the index take it anew. */
export const awaitIndexing = (now: string) =>
  ({ indexing_status: 'pending', indexing_due_at: now, indexing_attempts: 0 }) as const

const INDEXED = ['status', 'title', 'content', 'language', 'visibility', 'knowledge_base_id'] as const

const isIndexedAlike = (before: ArticleRow, after: ArticleRow): boolean =>
  INDEXED.every((name) => before[name] === after[name])

/** What must not be found any more is out of the index at once; the rest can wait for the job. */
async function followIndex(tx: Tx, orgId: OrgId, before: ArticleRow, after: ArticleRow): Promise<void> {
  const mayStay = (['status', 'visibility', 'knowledge_base_id'] as const).every((name) => before[name] === after[name])
  if (before.status === 'published' && !mayStay) await unindexArticles(tx, orgId, [before.id])
  if (after.indexing_due_at !== before.indexing_due_at) await announce(tx, INDEXING_TOPIC, [orgId])
}

async function emitChange(
  tx: Tx,
  ctx: Context,
  before: ArticleRow,
  after: ArticleRow,
  changes: Record<string, { from: unknown; to: unknown }>,
): Promise<void> {
  const { orgId } = ctx
  const article = toArticle(after)
  const turned = [before, after].map(({ status }) => status === 'published')
  await emitAll(
    tx,
    articleEvents,
    [
      { orgId, type: 'article.updated' as const, payload: { ...article, changes } },
      ...(!turned[0] && turned[1] ? [{ orgId, type: 'article.published' as const, payload: article }] : []),
      ...(turned[0] && !turned[1] ? [{ orgId, type: 'article.unpublished' as const, payload: article }] : []),
    ],
    ctx.now,
  )
}

/** Deletes them for good, with all that belongs to them. */
export async function deleteArticles(
  tx: Tx,
  { orgId, now }: Pick<Context, 'orgId' | 'now'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await unindexArticles(tx, orgId, ids)
  await deleteArticleRows(tx, orgId, ids)
  await buryAll(tx, orgId, 'article', ids, now)
  const gone = { object: 'article', deleted: true as const, deleted_at: now }
  await emitAll(
    tx,
    articleEvents,
    ids.map((id) => ({ orgId, type: 'article.deleted' as const, payload: { ...gone, id } })),
    now,
  )
}

const CHUNK = 500

/** For a category that is deleted with all that is in it. */
export async function deleteArticlesIn(
  tx: Tx,
  ctx: Pick<Context, 'orgId' | 'now'>,
  categoryIds: readonly string[],
): Promise<void> {
  const ids = await selectIdsIn(tx, ctx.orgId, categoryIds)
  for (let from = 0; from < ids.length; from += CHUNK) {
    const some = ids.slice(from, from + CHUNK)
    // As everybody else does: first the articles, then the index.
    await lockRows(tx, ctx.orgId, 'articles', some, 'change')
    await deleteArticles(tx, ctx, some)
  }
}

export const toArticle = (row: ArticleRow): Article => ({
  object: 'article',
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  category_id: row.category_id,
  title: row.title,
  slug: row.slug,
  content: row.content,
  content_plain: row.content_plain || null,
  status: row.status,
  visibility: row.visibility,
  language: row.language as Article['language'],
  indexing_status: row.indexing_status,
  version_number: row.version_number,
  indexed_at: row.indexed_at,
  published_at: row.published_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
