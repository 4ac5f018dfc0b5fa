import type { Article } from './contract.ts'
import type { ArticleItemRow, ArticleRow } from './queries.ts'

export const toArticle = (row: ArticleRow): Article => ({
  ...toItem(row),
  content: row.content,
  content_plain: row.content_plain || null,
  warnings: [...row.warnings],
})

export const toItem = (row: ArticleItemRow): Omit<Article, 'content' | 'content_plain' | 'warnings'> => ({
  object: 'article',
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  category_id: row.category_id,
  title: row.title,
  slug: row.slug,
  status: row.status,
  visibility: row.visibility,
  language: row.language as Article['language'],
  indexing_status: row.indexing_status,
  version_number: row.version_number,
  indexed_at: row.indexed_at,
  published_at: row.published_at,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
