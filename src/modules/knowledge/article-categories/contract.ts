import { z } from 'zod'
import {
  choice,
  type FamilyError,
  field,
  offsetQuery,
  operations,
  queryBoolean,
} from '../../../platform/contract/index.ts'
import { NameTranslations, NameTranslationsInput } from '../knowledge-bases/contract.ts'

/** The largest value of a PostgreSQL `integer`. */
const SORT_ORDER_MAX = 2 ** 31 - 1

const name = field.name(200).meta({ examples: ['Care'] })
const slug = field.slug.meta({ examples: ['care'] })
const description = field.text(0, 2000).meta({ examples: ['How to look after your furniture'] })

const Icon = choice({
  'folder-closed': 'A closed folder.',
  'folder-open': 'An open folder.',
  'book-open': 'An open book.',
  'file-text': 'A sheet with text.',
  'help-circle': 'A question mark in a circle.',
  lightbulb: 'A light bulb.',
  'message-square': 'A speech bubble.',
  settings: 'Two sliders.',
  star: 'A star.',
  zap: 'A flash.',
  shield: 'A shield.',
  globe: 'A globe.',
  archive: 'A box.',
}).meta({ description: 'Shown next to the name.', examples: ['book-open'] })

const sortOrder = z
  .int()
  .min(0)
  .max(SORT_ORDER_MAX)
  .meta({ description: 'Position among its siblings, lowest first.', examples: [0] })

export const ArticleCategory = z
  .object({
    object: z.literal('article_category'),
    id: field.id,
    knowledge_base_id: field.id.describe('Never changes.'),
    parent_id: field.id.nullable().meta({ description: 'Null for a top-level category.', examples: [null] }),
    name,
    slug: slug.describe('The last part of its public address. Unique in your organisation.'),
    description: description.nullable(),
    icon: Icon,
    sort_order: sortOrder,
    translations: NameTranslations,
    article_count: z
      .int()
      .meta({ description: 'Number of articles directly in it, not in its subcategories.', examples: [12] }),
    created_at: field.timestamp,
  })
  .meta({
    id: 'ArticleCategory',
    description: 'A named group of articles and subcategories in a knowledge base.',
  })
export type ArticleCategory = z.infer<typeof ArticleCategory>

const fields = {
  parent_id: field.id
    .nullable()
    .optional()
    .describe('A category of the same knowledge base. Null makes this a top-level category.'),
  description: description.nullable().optional(),
  icon: Icon.optional(),
  sort_order: sortOrder.optional(),
  translations: NameTranslationsInput.optional(),
}

export const ArticleCategoryCreate = z
  .strictObject({
    name,
    slug,
    knowledge_base_id: field.id,
    ...fields,
    icon: fields.icon.describe('Shown next to the name. Defaults to `folder-closed`.'),
    sort_order: fields.sort_order.describe('Position among its siblings, lowest first. Defaults to 0.'),
  })
  .meta({ id: 'ArticleCategoryCreate' })
export type ArticleCategoryCreate = z.output<typeof ArticleCategoryCreate>

export const ArticleCategoryUpdate = z
  .strictObject({ name: name.optional(), slug: slug.optional(), ...fields })
  .meta({ id: 'ArticleCategoryUpdate' })
export type ArticleCategoryUpdate = z.output<typeof ArticleCategoryUpdate>

const flag = queryBoolean().optional()

export const CATEGORY_NOT_EMPTY = {
  code: 'category_not_empty',
  status: 409,
  meaning: 'The article category still contains categories or articles.',
  remedy: 'Move or delete its contents first, or delete it with `?cascade=true`.',
  example: {
    message: 'The category still contains categories or articles. Empty it first, or delete it with cascade=true.',
    details: { categories: 0, articles: 3 },
  },
} as const satisfies FamilyError

export const articleCategories = operations(
  {
    name: 'article-categories',
    title: 'Article categories',
    about: 'Categories organise the articles of a knowledge base. They can be nested to any depth.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/article-categories',
      summary: 'List article categories',
      query: offsetQuery({
        knowledge_base_id: field.id.optional().describe('Only categories of this knowledge base.'),
        parent_id: field.id.optional().describe('Only direct children of this category.'),
        root_only: flag.describe('`true`: only top-level categories.'),
        sort: choice({ recent: 'Newest first.', sort_order: 'Lowest `sort_order` first.' })
          .default('recent')
          .describe('The order of the list.'),
      }).superRefine(({ parent_id, root_only }, context) => {
        if (parent_id === undefined || root_only !== true) return
        context.addIssue({ code: 'custom', path: ['root_only'], message: 'Cannot be combined with parent_id' })
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
      description:
        'Changing `parent_id` moves the category with everything in it. It cannot move to another knowledge base.',
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
        'If the category is not empty, the response is 409 and `details` gives the number of categories and articles ' +
        'in it, at any depth. With `cascade=true` they are deleted too.',
      query: z.strictObject({ cascade: flag.describe('`true`: also delete everything in it.') }),
      errors: [CATEGORY_NOT_EMPTY],
    },
  },
)
