import { articlePath, centrePath } from '../public-articles/index.ts'
import type { Article } from './contract.ts'
import type { ArticleItemRow, ArticleRow } from './queries.ts'

export const toArticle = (row: ArticleRow, publicUrl: string): Article => ({
  ...toItem(row, publicUrl),
  content: row.content,
  content_plain: row.content_plain || null,
  warnings: [...row.warnings],
})

export const toItem = (
  row: ArticleItemRow,
  publicUrl: string,
): Omit<Article, 'content' | 'content_plain' | 'warnings'> => ({
  object: 'article',
  id: row.id,
  knowledge_base_id: row.knowledge_base_id,
  category_id: row.category_id,
  title: row.title,
  slug: row.slug,
  url: urlIn(row, row.language, publicUrl),
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

type Addressed = Pick<ArticleItemRow, 'slug' | 'status' | 'visibility' | 'centre_slug'>

/** Where visitors read the text of an article in this language; null if they may not. */
export const urlIn = (
  { slug, status, visibility, centre_slug }: Addressed,
  language: string,
  publicUrl: string,
): string | null =>
  status === 'published' && visibility === 'public' && centre_slug !== null
    ? articlePath(publicUrl + centrePath(centre_slug), slug, language)
    : null
