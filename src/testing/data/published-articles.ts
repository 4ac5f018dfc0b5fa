import type { Tables, Tx } from '../../platform/db/index.ts'
import { newId, type OrgId } from '../../platform/ids/index.ts'
import { insertTestRows } from '../engines/insert-test-rows.ts'

export interface SearchableArticle {
  id: string
  knowledge_base_id: string
  visibility: 'public' | 'internal' | 'chatbot_only'
  /** Its own text and its translations. */
  texts: { language: string; title: string; plain: string; content?: string }[]
}

/** Inserts published articles as rows, with the status `indexed` unless another is given. Through the API thousands would take minutes. */
export async function insertPublished(
  tx: Tx,
  orgId: OrgId,
  articles: readonly SearchableArticle[],
  now: string,
  indexing: Partial<Pick<Tables['articles'], 'indexing_status' | 'indexing_due_at'>> = {},
): Promise<void> {
  const times = { created_at: now, updated_at: now }
  await insertTestRows(
    tx,
    'articles',
    articles.map(({ id, knowledge_base_id, visibility, texts }) => ({
      id,
      org_id: orgId,
      knowledge_base_id,
      category_id: null,
      slug: `article-${id}`,
      title_key: id,
      status: 'published' as const,
      visibility,
      language: texts[0]?.language ?? 'en',
      is_empty: false,
      version_number: 1,
      indexing_status: 'indexed' as const,
      indexing_due_at: null,
      indexing_attempts: 0,
      indexed_at: now,
      published_at: now,
      ...times,
      ...indexing,
    })),
  )
  await insertTestRows(
    tx,
    'article_texts',
    articles.flatMap(({ id, texts }) =>
      texts.map(({ language, title, plain, content = plain }) => ({
        id: newId(),
        org_id: orgId,
        article_id: id,
        language,
        title,
        revision: 1,
        ...times,
        content,
        content_plain: plain,
        warnings: [],
        search_text: '',
      })),
    ),
  )
}
