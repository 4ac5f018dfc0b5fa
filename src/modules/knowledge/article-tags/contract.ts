import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

export const ArticleTag = z
  .object({
    object: z.literal('article_tag'),
    id: field.id,
    name: field.name(100).meta({ examples: ['Care instructions'] }),
    created_at: field.timestamp,
  })
  .meta({ id: 'ArticleTag', description: 'A label for articles.' })
export type ArticleTag = z.infer<typeof ArticleTag>

export const ArticleTagCreate = z
  .strictObject({ name: ArticleTag.shape.name.describe('Unique in the organisation, ignoring case.') })
  .meta({ id: 'ArticleTagCreate' })
export type ArticleTagCreate = z.output<typeof ArticleTagCreate>

export const articleTags = operations(
  {
    name: 'article-tags',
    title: 'Article tags',
    about: 'Labels for articles. An article can have several tags, and many articles can share a tag.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/article-tags',
      summary: 'List article tags',
      description: 'Newest first.',
      query: offsetQuery({ search: field.search }),
      offset: ArticleTag,
    },
    create: {
      method: 'POST',
      path: '/article-tags',
      summary: 'Create an article tag',
      body: ArticleTagCreate,
      created: ArticleTag,
      errors: ['conflict'],
      example: (n) => ({ name: `Care instructions ${n}` }),
    },
    get: { method: 'GET', path: '/article-tags/{id}', summary: 'Get an article tag', ok: ArticleTag },
    delete: {
      method: 'DELETE',
      path: '/article-tags/{id}',
      summary: 'Delete an article tag',
      description: 'Also removes it from all articles.',
    },
  },
)
