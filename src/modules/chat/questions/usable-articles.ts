import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type ChatbotArticles, selectParents, selectUsableArticles } from './access-queries.ts'

/** Returns those of the articles that a chatbot may use. A category includes its subcategories. */
export async function findUsable(
  db: Db,
  orgId: OrgId,
  { articleIds, categoryIds, knowledgeBaseIds }: ChatbotArticles,
  ids: readonly string[],
): Promise<Set<string>> {
  const articles = ids.length === 0 ? [] : await selectUsableArticles(db, orgId, [...new Set(ids)])
  const mayUseAll = articleIds.length + categoryIds.length + knowledgeBaseIds.length === 0
  if (mayUseAll) return new Set(articles.map(({ id }) => id))
  const [named, bases] = [new Set(articleIds), new Set(knowledgeBaseIds)]
  const isDirect = (article: (typeof articles)[number]) => named.has(article.id) || bases.has(article.knowledge_base_id)
  const others = articles.filter((article) => !isDirect(article) && article.category_id !== null)
  const parents =
    categoryIds.length === 0 || others.length === 0
      ? new Map<string, string | null>()
      : await readParents(db, orgId, [...new Set(others.map(({ knowledge_base_id }) => knowledge_base_id))])
  const categories = new Set(categoryIds)
  const isWithin = (categoryId: string | null): boolean => {
    for (let id: string | null | undefined = categoryId; id != null; id = parents.get(id)) {
      if (categories.has(id)) return true
    }
    return false
  }
  return new Set(articles.filter((article) => isDirect(article) || isWithin(article.category_id)).map(({ id }) => id))
}

const readParents = async (db: Db, orgId: OrgId, knowledgeBaseIds: readonly string[]) =>
  new Map((await selectParents(db, orgId, knowledgeBaseIds)).map(({ id, parent_id }) => [id, parent_id]))
