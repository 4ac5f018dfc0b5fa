import { batchesOf, lockRows, type Tx } from '../../../platform/db/index.ts'
import { insertTombstones } from '../../../platform/db/tombstones.ts'
import type { Context } from '../../../platform/http/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { unindexArticles } from '../article-search/index.ts'
import { releaseAssetsOf } from './asset-references.ts'
import { articleEvents } from './events.ts'
import { lockArticle } from './lock.ts'
import { deleteArticleRows, selectIdsIn } from './queries.ts'

/** Each ID is a parameter, and a statement takes a limited number of them. */
const STATEMENT_IDS_MAX = 500

export function deleteArticle(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    await lockArticle(tx, ctx.orgId, id)
    await deleteLocked(tx, ctx, [id])
  })
}

/** Deletes all articles of these categories, which are about to be deleted. */
export async function deleteArticlesIn(
  tx: Tx,
  ctx: Pick<Context, 'orgId' | 'now'>,
  categoryIds: readonly string[],
): Promise<void> {
  const ids = await selectIdsIn(tx, ctx.orgId, categoryIds)
  for (const some of batchesOf(ids, STATEMENT_IDS_MAX)) {
    // Lock order: articles, then the index.
    await lockRows(tx, ctx.orgId, 'articles', some, 'change')
    await deleteLocked(tx, ctx, some)
  }
}

async function deleteLocked(
  tx: Tx,
  { orgId, now }: Pick<Context, 'orgId' | 'now'>,
  ids: readonly string[],
): Promise<void> {
  await unindexArticles(tx, orgId, ids)
  await deleteArticleRows(tx, orgId, ids)
  await releaseAssetsOf(tx, orgId, ids, now)
  await insertTombstones(tx, orgId, 'article', ids, now)
  const deleted = { object: 'article', deleted: true as const, deleted_at: now }
  await emitAll(
    tx,
    articleEvents,
    ids.map((id) => ({ orgId, type: 'article.deleted' as const, payload: { ...deleted, id } })),
    now,
  )
}
