import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** The articles that a chatbot may use. Without any id, all. */
export interface ChatbotArticles {
  articleIds: string[]
  categoryIds: string[]
  knowledgeBaseIds: string[]
}

export async function selectChatbotArticles(db: Db, orgId: OrgId, id: string): Promise<ChatbotArticles | undefined> {
  const chatbot = await db
    .selectFrom('chatbots')
    .select(['article_ids', 'category_ids', 'knowledge_base_ids'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (chatbot === undefined) return undefined
  const { article_ids: articleIds, category_ids: categoryIds, knowledge_base_ids: knowledgeBaseIds } = chatbot
  return { articleIds, categoryIds, knowledgeBaseIds }
}

export interface UsableArticle {
  id: string
  category_id: string | null
  knowledge_base_id: string
}

/** Returns those of the articles that chatbots of the organisation may use. */
export const selectUsableArticles = (db: Db, orgId: OrgId, ids: readonly string[]): Promise<UsableArticle[]> =>
  db
    .selectFrom('articles')
    .select(['id', 'category_id', 'knowledge_base_id'])
    .where('org_id', '=', orgId)
    .where('id', 'in', [...ids])
    .where('status', '=', 'published')
    .where('visibility', 'in', ['public', 'chatbot_only'])
    .execute()

/** The categories of some knowledge bases, each with its parent. */
export const selectParents = (
  db: Db,
  orgId: OrgId,
  knowledgeBaseIds: readonly string[],
): Promise<{ id: string; parent_id: string | null }[]> =>
  db
    .selectFrom('article_categories')
    .select(['id', 'parent_id'])
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', 'in', [...knowledgeBaseIds])
    .execute()
