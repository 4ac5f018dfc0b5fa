import type { Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { type Changes, changesOf, emitAll } from '../../../platform/outbox/index.ts'
import { keepAssetsOf } from './asset-references.ts'
import type { Article } from './contract.ts'
import { articleEvents } from './events.ts'
import { keepOldSlug } from './old-slugs.ts'
import { updateIndex, withPublishingState } from './publishing.ts'
import { type ArticleRow, updateArticleRow, updateTextRow } from './queries.ts'
import { toArticle } from './to-article.ts'
import { insertVersion } from './version-queries.ts'

interface ChangeOptions {
  /** Changes outside the article's own fields, such as its tags. */
  otherChanges?: Changes
  /** The `change_summary` of the version that keeps the previous text. */
  summary?: string
}

/**
 * Applies every kind of change to an article. Keeps the previous text as a version, updates the search index and emits
 * the events; does nothing if nothing differs. The row must be locked. Returns the new row.
 */
export async function changeArticle(
  tx: Tx,
  ctx: Context,
  row: ArticleRow,
  input: Partial<ArticleRow>,
  publicUrl: string,
  { otherChanges, summary = 'Auto-snapshot before API update' }: ChangeOptions = {},
): Promise<ArticleRow> {
  const requested = { ...row, ...input }
  const isRewritten = requested.title !== row.title || requested.content !== row.content
  const settled = withPublishingState(
    row,
    {
      ...requested,
      version_number: requested.version_number + (isRewritten ? 1 : 0),
      revision: row.revision + (isRewritten ? 1 : 0),
    },
    ctx.now,
  )
  const changes = { ...changesOf(toArticle(row, publicUrl), toArticle(settled, publicUrl)), ...otherChanges }
  if (Object.keys(changes).length === 0) return row
  const updated = { ...settled, updated_at: ctx.now }
  if (isRewritten) await insertVersion(tx, ctx.orgId, row, summary, ctx.now)
  await updateArticleRow(tx, ctx.orgId, updated)
  if (updated.slug !== row.slug) await keepOldSlug(tx, ctx.orgId, row, updated.slug, ctx.now)
  if (isRewritten || updated.language !== row.language) await updateTextRow(tx, ctx.orgId, row, updated)
  if (updated.content !== row.content) await keepAssetsOf(tx, ctx.orgId, row.id, updated.content, ctx.now)
  await updateIndex(tx, ctx.orgId, row, updated)
  await emitChange(tx, ctx, row, toArticle(updated, publicUrl), changes)
  return updated
}

async function emitChange(
  tx: Tx,
  { orgId, now }: Context,
  before: ArticleRow,
  article: Article,
  changes: Changes,
): Promise<void> {
  const [wasPublished, isPublished] = [before.status === 'published', article.status === 'published']
  await emitAll(
    tx,
    articleEvents,
    [
      { orgId, type: 'article.updated' as const, payload: { ...article, changes } },
      ...(!wasPublished && isPublished ? [{ orgId, type: 'article.published' as const, payload: article }] : []),
      ...(wasPublished && !isPublished ? [{ orgId, type: 'article.unpublished' as const, payload: article }] : []),
    ],
    now,
  )
}
