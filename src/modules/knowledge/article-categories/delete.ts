import type { Tx } from '../../../platform/db/index.ts'
import { buryAll } from '../../../platform/db/tombstones.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { articleCategoryEvents } from './events.ts'
import { deleteCategoryRows, selectPlaces } from './queries.ts'
import { lockTree } from './service.ts'
import { treeOf } from './tree.ts'

/** What has to be done to the articles of categories that are about to be deleted. */
export type DeleteArticlesIn = (tx: Tx, ctx: Context, categoryIds: readonly string[]) => Promise<void>

/** A statement takes only so many parameters, and each id is one. */
const IDS_AT_ONCE_MAX = 500

export function deleteCategory(
  ctx: Context,
  id: string,
  cascade: boolean,
  deleteArticlesIn: DeleteArticlesIn,
): Promise<void> {
  return ctx.write(async (tx) => {
    const { knowledge_base_id } = await lockTree(tx, ctx.orgId, id)
    const tree = treeOf(await selectPlaces(tx, ctx.orgId, knowledge_base_id), id)
    if (!cascade) refuseUnlessEmpty(tree)
    const ids = tree.map((place) => place.id)
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE_MAX) {
      const some = ids.slice(from, from + IDS_AT_ONCE_MAX)
      await deleteArticlesIn(tx, ctx, some)
      await deleteCategoryRows(tx, ctx.orgId, some)
    }
    await buryAll(tx, ctx.orgId, 'article_category', ids, ctx.now)
    const deleted = { object: 'article_category', deleted: true as const, deleted_at: ctx.now }
    await emitAll(
      tx,
      articleCategoryEvents,
      ids.map((id) => ({ orgId: ctx.orgId, type: 'article_category.deleted' as const, payload: { ...deleted, id } })),
      ctx.now,
    )
  })
}

function refuseUnlessEmpty(tree: readonly { article_count: number }[]): void {
  const categories = tree.length - 1
  const articles = tree.reduce((sum, { article_count }) => sum + article_count, 0)
  if (categories + articles === 0) return
  throw new ApiError(
    'category_not_empty',
    'It still has categories or articles. Empty it, or delete with cascade=true.',
    {
      details: { categories, articles },
    },
  )
}
