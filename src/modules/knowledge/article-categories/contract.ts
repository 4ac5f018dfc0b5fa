import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'

/** What every store of whole numbers can hold. */
const SORT_ORDER_MAX = 2 ** 31 - 1

const name = field.name(200).meta({ examples: ['Care'] })
const slug = field.slug.meta({ examples: ['care'] })
const description = field.text(0, 2000).meta({ examples: ['How to look after your furniture'] })

const Icon = z
  .enum([
    'folder-closed',
    'folder-open',
    'book-open',
    'file-text',
    'help-circle',
    'lightbulb',
    'message-square',
    'settings',
    'star',
    'zap',
    'shield',
    'globe',
    'archive',
  ])
  .meta({ description: 'Shown beside its name.', examples: ['book-open'] })

const sortOrder = z
  .int()
  .min(0)
  .max(SORT_ORDER_MAX)
  .meta({ description: 'Where it stands among its siblings: the lowest first.', examples: [0] })

export const ArticleCategory = z
  .object({
    object: z.literal('article_category'),
    id: field.id,
    knowledge_base_id: field.id.describe('For ever the same.'),
    parent_id: field.id.nullable().meta({ description: 'Null at the top of its knowledge base.', examples: [null] }),
    name,
    slug: slug.describe('The last part of its address. Unique in your organisation.'),
    description: description.nullable(),
    icon: Icon,
    sort_order: sortOrder,
    article_count: z.int().meta({ description: 'How many articles are directly in it.', examples: [12] }),
    created_at: field.timestamp,
  })
  .meta({
    id: 'ArticleCategory',
    description: 'Articles and further categories under one name, within a knowledge base.',
  })
export type ArticleCategory = z.infer<typeof ArticleCategory>

const fields = {
  parent_id: field.id.nullable().optional().describe('A category of the same knowledge base; null for the top.'),
  description: description.nullable().optional(),
  icon: Icon.optional(),
  sort_order: sortOrder.optional(),
}

export const ArticleCategoryCreate = z
  .strictObject({
    name,
    slug,
    knowledge_base_id: field.id,
    ...fields,
    icon: fields.icon.describe('`folder-closed` unless you say otherwise.'),
    sort_order: fields.sort_order.describe('0 unless you say otherwise.'),
  })
  .meta({ id: 'ArticleCategoryCreate' })
export type ArticleCategoryCreate = z.output<typeof ArticleCategoryCreate>

export const ArticleCategoryUpdate = z
  .strictObject({ name: name.optional(), slug: slug.optional(), ...fields })
  .meta({ id: 'ArticleCategoryUpdate' })
export type ArticleCategoryUpdate = z.output<typeof ArticleCategoryUpdate>

const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .optional()

export const articleCategories = operations(
  {
    name: 'article-categories',
    title: 'Article categories',
    about: 'The order in which visitors find articles: categories within a knowledge base, as deep as you like.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/article-categories',
      summary: 'List article categories',
      query: offsetQuery({
        knowledge_base_id: field.id.optional().describe('Only those of this knowledge base.'),
        parent_id: field.id.optional().describe('Only those directly in this category.'),
        root_only: flag.describe('`true`: only those at the top of their knowledge base.'),
        sort: z
          .enum(['recent', 'sort_order'])
          .default('recent')
          .describe('Newest first, or by `sort_order` with the lowest first.'),
      }).superRefine(({ parent_id, root_only }, context) => {
        if (parent_id === undefined || root_only !== true) return
        context.addIssue({ code: 'custom', path: ['root_only'], message: 'What has a parent is not at the top' })
      }),
      offset: ArticleCategory,
    },
    create: {
      method: 'POST',
      path: '/article-categories',
      summary: 'Create an article category',
      body: ArticleCategoryCreate,
      created: ArticleCategory,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        name: `Care ${n}`,
        slug: `care-${n}`,
        knowledge_base_id: '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11',
        icon: 'book-open',
      }),
    },
    get: {
      method: 'GET',
      path: '/article-categories/{id}',
      summary: 'Get an article category',
      ok: ArticleCategory,
    },
    update: {
      method: 'PATCH',
      path: '/article-categories/{id}',
      summary: 'Change an article category',
      description: 'With another parent it moves, with everything below it. It stays in its knowledge base.',
      body: ArticleCategoryUpdate,
      ok: ArticleCategory,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ name: `Repair ${n}`, sort_order: 2 }),
    },
    delete: {
      method: 'DELETE',
      path: '/article-categories/{id}',
      summary: 'Delete an article category',
      description:
        'One that is not empty is refused, and `details` says how many categories and articles are below it, at any ' +
        'depth. With `cascade=true` all of them are deleted with it.',
      query: z.strictObject({ cascade: flag.describe('`true`: delete everything below it as well.') }),
      errors: ['category_not_empty'],
    },
  },
)
