import { timestamp } from '../../src/platform/clock/index.ts'
import type { Tx } from '../../src/platform/db/index.ts'
import { newId, type OrgId } from '../../src/platform/ids/index.ts'
import { insertTestRows } from '../../src/testing/engines/insert-test-rows.ts'

/** Puts the articles into top-level categories. */
export async function storeCategories(
  tx: Tx,
  orgId: OrgId,
  knowledgeBaseId: string,
  categories: ReadonlyMap<string, string[]>,
): Promise<void> {
  const now = timestamp(Date.now())
  for (const [name, articleIds] of categories) {
    const id = newId()
    await insertTestRows(tx, 'article_categories', [
      {
        id,
        org_id: orgId,
        knowledge_base_id: knowledgeBaseId,
        parent_id: null,
        name,
        slug: id,
        description: null,
        translations: {},
        icon: 'folder',
        sort_order: 0,
        created_at: now,
      },
    ])
    await tx
      .updateTable('articles')
      .set({ category_id: id })
      .where('org_id', '=', orgId)
      .where('id', 'in', articleIds)
      .execute()
  }
}
