import { lockRow, type Tx } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { findCategory } from '../article-categories/index.ts'
import { lockReferencedKnowledgeBase } from '../knowledge-bases/index.ts'
import type { ArticleRow } from './queries.ts'
import { requireArticle } from './require.ts'

/** Locks an article against concurrent changes until the transaction ends, and returns it as it is then. */
export async function lockArticle(tx: Tx, orgId: OrgId, id: string): Promise<ArticleRow> {
  await lockRow(tx, orgId, 'articles', id)
  return requireArticle(tx, orgId, id)
}

/**
 * Locks the knowledge base and the category of an article against deletion until the transaction ends; throws 422
 * unless both exist and belong together. Call it before `lockArticle`: deleting a knowledge base or a category takes
 * its locks in that order, too. Returns what the article shows of its knowledge base.
 */
export async function lockPlacement(
  tx: Tx,
  orgId: OrgId,
  { knowledge_base_id, category_id }: Pick<ArticleRow, 'knowledge_base_id' | 'category_id'>,
): Promise<Pick<ArticleRow, 'centre_slug'>> {
  const { is_published, public_slug } = await lockReferencedKnowledgeBase(tx, orgId, knowledge_base_id)
  const shown = { centre_slug: is_published ? public_slug : null }
  if (category_id === null) return shown
  await lockRow(tx, orgId, 'article_categories', category_id, 'reference')
  const category = await findCategory(tx, orgId, category_id)
  if (category?.knowledge_base_id === knowledge_base_id) return shown
  throw unprocessable('category_id', category_id, 'there is no category with this id in the knowledge base')
}
