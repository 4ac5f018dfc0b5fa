import { lockRow, type Tx } from '../../../platform/db/index.ts'
import { unprocessable } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { findCategory } from '../article-categories/index.ts'
import { keepKnowledgeBase } from '../knowledge-bases/index.ts'

/**
 * Where an article is to stand: both must be there, belong together, and stay until the transaction ends. Locked before
 * the article itself, as whoever deletes a knowledge base or a category does.
 */
export async function keepPlace(
  tx: Tx,
  orgId: OrgId,
  { knowledge_base_id, category_id }: { knowledge_base_id: string; category_id: string | null },
): Promise<void> {
  await keepKnowledgeBase(tx, orgId, knowledge_base_id)
  if (category_id === null) return
  await lockRow(tx, orgId, 'article_categories', category_id, 'keep')
  const category = await findCategory(tx, orgId, category_id)
  if (category?.knowledge_base_id === knowledge_base_id) return
  throw unprocessable('category_id', category_id, 'there is no category with this id in the knowledge base')
}
