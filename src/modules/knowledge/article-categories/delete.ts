import { batchesOf, type Tx } from '../../../platform/db/index.ts'
import { insertTombstones } from '../../../platform/db/tombstones.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { emitAll } from '../../../platform/outbox/index.ts'
import { CATEGORY_NOT_EMPTY } from './contract.ts'
import { articleCategoryEvents } from './events.ts'
import { deleteCategoryRows, selectTreeNodes } from './queries.ts'
import { lockTree } from './service.ts'
import { subtreeOf } from './tree.ts'

/** Deletes the articles of categories that are about to be deleted. */
export type DeleteArticlesIn = (tx: Tx, ctx: Context, categoryIds: readonly string[]) => Promise<void>

/** Each ID is a parameter, and a statement takes a limited number of them. */
const STATEMENT_IDS_MAX = 500

export function deleteCategory(
  ctx: Context,
  id: string,
  cascade: boolean,
  deleteArticlesIn: DeleteArticlesIn,
): Promise<void> {
  return ctx.writeInPieces(async (tx) => {
    const { knowledge_base_id } = await lockTree(tx, ctx.orgId, id)
    const subtree = subtreeOf(await selectTreeNodes(tx, ctx.orgId, knowledge_base_id), id)
    if (!cascade) refuseUnlessEmpty(subtree)
    const ids = subtree.map((node) => node.id)
    for (const some of batchesOf(ids, STATEMENT_IDS_MAX)) {
      await deleteArticlesIn(tx, ctx, some)
      await deleteCategoryRows(tx, ctx.orgId, some)
    }
    await insertTombstones(tx, ctx.orgId, 'article_category', ids, ctx.now)
    const deleted = { object: 'article_category', deleted: true as const, deleted_at: ctx.now }
    await emitAll(
      tx,
      articleCategoryEvents,
      ids.map((id) => ({ orgId: ctx.orgId, type: 'article_category.deleted' as const, payload: { ...deleted, id } })),
      ctx.now,
    )
  })
}

function refuseUnlessEmpty(subtree: readonly { article_count: number }[]): void {
  const categories = subtree.length - 1
  const articles = subtree.reduce((sum, { article_count }) => sum + article_count, 0)
  if (categories + articles === 0) return
  throw new ApiError(CATEGORY_NOT_EMPTY, CATEGORY_NOT_EMPTY.example.message, { details: { categories, articles } })
}
