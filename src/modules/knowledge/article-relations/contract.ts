import { z } from 'zod'
import { choice, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { articleTitle } from '../articles/contract.ts'

const REQUEST_IDS_MAX = 100
const EXAMPLE_ID = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e12'

const relatedId = field.id.meta({ examples: [EXAMPLE_ID] })

export const ArticleRelation = z
  .object({
    object: z.literal('article_relation'),
    article_id: field.id,
    related_article_id: relatedId,
    related_title: articleTitle,
  })
  .meta({ id: 'ArticleRelation', description: 'A related article, suggested to readers of an article.' })
export type ArticleRelation = z.infer<typeof ArticleRelation>

export const ArticleRelationsReplace = z
  .strictObject({
    related_article_ids: z
      .array(field.id)
      .max(REQUEST_IDS_MAX, { error: `Must have at most ${REQUEST_IDS_MAX} articles` })
      .meta({ description: 'In display order.', examples: [[EXAMPLE_ID]] }),
    mode: choice({
      replace: 'Replace the existing related articles.',
      add: 'Append to the existing related articles.',
    }).default('replace'),
  })
  .meta({ id: 'ArticleRelationsReplace' })
export type ArticleRelationsReplace = z.output<typeof ArticleRelationsReplace>

export const ArticleRelationCreate = z
  .strictObject({ related_article_id: relatedId })
  .meta({ id: 'ArticleRelationCreate' })
export type ArticleRelationCreate = z.output<typeof ArticleRelationCreate>

export const articleRelations = operations(
  {
    name: 'article-relations',
    title: 'Article relations',
    about:
      'Articles to suggest to readers of an article. A relation has one direction: to link two articles to each ' +
      'other, create both relations.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/{id}/relations',
      summary: 'List related articles',
      description: 'In display order.',
      query: offsetQuery({}),
      offset: ArticleRelation,
    },
    replace: {
      method: 'PUT',
      path: '/articles/{id}/relations',
      summary: 'Replace or extend the related articles',
      query: offsetQuery({}),
      body: ArticleRelationsReplace,
      offset: ArticleRelation,
      errors: ['unprocessable'],
      example: () => ({ related_article_ids: [], mode: 'add' }),
    },
    create: {
      method: 'POST',
      path: '/articles/{id}/relations',
      summary: 'Add a related article',
      description: 'Appends it to the existing related articles.',
      body: ArticleRelationCreate,
      created: ArticleRelation,
      errors: ['conflict', 'unprocessable'],
      example: () => ({ related_article_id: EXAMPLE_ID }),
    },
    delete: {
      method: 'DELETE',
      path: '/articles/{id}/relations/{related_id}',
      summary: 'Remove a related article',
      description: 'Removes the relation, not the article.',
    },
  },
)
