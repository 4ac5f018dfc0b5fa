import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { articleTitle } from '../articles/contract.ts'

const AT_ONCE_MAX = 100
const EXAMPLE_ID = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e12'

const relatedId = field.id.meta({ examples: [EXAMPLE_ID] })

/** Where to read on. */
export const ArticleRelation = z
  .object({
    object: z.literal('article_relation'),
    article_id: field.id,
    related_article_id: relatedId,
    related_title: articleTitle,
  })
  .meta({ id: 'ArticleRelation', description: 'Where whoever has read an article may want to read on.' })
export type ArticleRelation = z.infer<typeof ArticleRelation>

export const ArticleRelationsPut = z
  .strictObject({
    related_article_ids: z
      .array(field.id)
      .max(AT_ONCE_MAX, { error: `Must have at most ${AT_ONCE_MAX} articles` })
      .meta({ description: 'In the order in which they are shown.', examples: [[EXAMPLE_ID]] }),
    mode: z
      .enum(['replace', 'add'])
      .default('replace')
      .describe('`replace`: these and no others. `add`: these after those that are there.'),
  })
  .meta({ id: 'ArticleRelationsPut' })
export type ArticleRelationsPut = z.output<typeof ArticleRelationsPut>

export const ArticleRelationCreate = z
  .strictObject({ related_article_id: relatedId })
  .meta({ id: 'ArticleRelationCreate' })
export type ArticleRelationCreate = z.output<typeof ArticleRelationCreate>

export const articleRelations = operations(
  {
    name: 'article-relations',
    title: 'Article relations',
    about: 'Which articles to read after one. They go in one direction: relate both to each other where that is meant.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/{id}/relations',
      summary: 'List related articles',
      description: 'In the order in which they are shown.',
      query: offsetQuery({}),
      offset: ArticleRelation,
    },
    put: {
      method: 'PUT',
      path: '/articles/{id}/relations',
      summary: 'Replace or extend the related articles',
      query: offsetQuery({}),
      body: ArticleRelationsPut,
      offset: ArticleRelation,
      errors: ['unprocessable'],
      example: () => ({ related_article_ids: [], mode: 'add' }),
    },
    add: {
      method: 'POST',
      path: '/articles/{id}/relations',
      summary: 'Relate an article',
      description: 'After those that are there.',
      body: ArticleRelationCreate,
      created: ArticleRelation,
      errors: ['conflict', 'unprocessable'],
      example: () => ({ related_article_id: EXAMPLE_ID }),
    },
    delete: {
      method: 'DELETE',
      path: '/articles/{id}/relations/{related_id}',
      summary: 'Take a related article away',
      description: 'The article itself stays.',
    },
  },
)
