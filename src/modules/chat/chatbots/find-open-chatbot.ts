import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectOpenChatbots } from './queries.ts'

/** More than an organisation offers its visitors. */
const COMPARED_MAX = 100

/**
 * Finds the chatbot that visitors may ask without a password, by its public slug. For readers of a knowledge base, it is one that
 * names the knowledge base, or one that uses all articles; for others, the oldest.
 */
export async function findOpenChatbot(db: Db, orgId: OrgId, knowledgeBaseId?: string): Promise<string | undefined> {
  if (knowledgeBaseId === undefined) return (await selectOpenChatbots(db, orgId, 1))[0]?.public_slug
  const open = await selectOpenChatbots(db, orgId, COMPARED_MAX)
  const named = open.find(({ knowledge_base_ids }) => knowledge_base_ids.includes(knowledgeBaseId))
  const found =
    named ??
    open.find(({ knowledge_base_ids, category_ids, article_ids }) =>
      [knowledge_base_ids, category_ids, article_ids].every(({ length }) => length === 0),
    )
  return found?.public_slug
}
