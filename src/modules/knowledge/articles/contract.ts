import { z } from 'zod'
import { eitherQuery, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ArticleTag } from '../article-tags/contract.ts'
import { Language } from '../languages/contract.ts'

const CONTENT_BYTES_MAX = 500 * 1024
export const TAGS_MAX = 100

export const articleTitle = field.name(300).meta({ examples: ['Oiling the table top'] })

/** Markdown. Counted in bytes, as it is stored and sent. */
export const articleContent = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= CONTENT_BYTES_MAX, { error: 'Must be at most 500 KiB' })
  .meta({
    maxLength: CONTENT_BYTES_MAX,
    description: 'Markdown, at most 500 KiB.',
    examples: ['# Oiling\n\nOnce a year.'],
  })

export const contentPlain = z
  .string()
  .meta({ description: 'The words of the content, without markup.', examples: ['Oiling Once a year.'] })

const slug = field.slug.meta({ examples: ['oiling-the-table-top'] })

const Status = z.enum(['draft', 'unpublished', 'published', 'archived']).meta({
  description: 'Only what is `published` can be read and found by visitors and chatbots.',
  examples: ['published'],
})

const Visibility = z.enum(['public', 'internal', 'chatbot_only']).meta({
  description:
    'Who may read it once it is published: everybody; only your own people; or chatbots, which answer from it.',
  examples: ['public'],
})

const IndexingStatus = z.enum(['not_started', 'pending', 'processing', 'indexed', 'failed']).meta({
  description: 'How far the search index is with what is published. Changes by itself, moments after a change.',
  examples: ['indexed'],
})

const language = Language.describe('The language that it is written in. `en` unless you say otherwise.')

export const Article = z
  .object({
    object: z.literal('article'),
    id: field.id,
    knowledge_base_id: field.id,
    category_id: field.id.nullable().meta({ examples: [null] }),
    title: articleTitle,
    slug: slug.describe('The last part of its address. Unique in your organisation.'),
    content: articleContent,
    content_plain: contentPlain.nullable(),
    status: Status,
    visibility: Visibility,
    language,
    indexing_status: IndexingStatus,
    version_number: z.int().meta({ description: 'The number of the present text, from 1.', examples: [1] }),
    indexed_at: field.timestamp.nullable(),
    published_at: field.timestamp.nullable().describe('When it was published for the first time.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Article', description: 'What visitors read: Markdown with a title, in a knowledge base.' })
export type Article = z.infer<typeof Article>

export const ArticleItem = Article.omit({ content: true })
  .extend({
    tag_names: z.array(ArticleTag.shape.name).meta({ description: 'In alphabetical order.', examples: [['Care']] }),
  })
  .meta({ id: 'ArticleItem', description: 'An article as it stands in a list: without its content, with its tags.' })
export type ArticleItem = z.infer<typeof ArticleItem>

const fields = {
  category_id: field.id.nullable().optional().describe('A category of the same knowledge base; null for none.'),
  slug: slug.optional(),
  content: articleContent.optional(),
  status: Status.optional(),
  visibility: Visibility.optional(),
  language: language.optional(),
}

export const ArticleCreate = z
  .strictObject({
    knowledge_base_id: field.id,
    title: articleTitle,
    ...fields,
    slug: slug.optional().describe('Made from the title when left out, with a number behind it where that is taken.'),
  })
  .meta({ id: 'ArticleCreate' })
export type ArticleCreate = z.output<typeof ArticleCreate>

export const ArticleUpdate = z
  .strictObject({
    knowledge_base_id: field.id.optional().describe('Moves it. Its category has to be one of the new knowledge base.'),
    title: articleTitle.optional(),
    ...fields,
  })
  .meta({ id: 'ArticleUpdate' })
export type ArticleUpdate = z.output<typeof ArticleUpdate>

export const ArticleTagsReplace = z
  .strictObject({
    tag_ids: z
      .array(field.id)
      .max(TAGS_MAX, { error: `Must have at most ${TAGS_MAX} tags` })
      .refine((ids) => new Set(ids).size === ids.length, { error: 'Must not have the same tag twice' })
      .meta({ examples: [['0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11']] }),
  })
  .meta({ id: 'ArticleTagsReplace' })
export type ArticleTagsReplace = z.output<typeof ArticleTagsReplace>

const EXAMPLE_ID = '0197f3a2-4c1e-7b1a-9d55-3f6f0c2b8e11'

export const articles = operations(
  {
    name: 'articles',
    title: 'Articles',
    about:
      'What visitors read. Written in Markdown, published when you say so, in as many languages as you like; every text that an article ever had can be seen again.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles',
      summary: 'List articles',
      description:
        'Newest first, or by `sort`. An offset list; with `sort=-created_at`, `cursor` or `limit` a cursor list, which is quicker the further you go.',
      query: eitherQuery(['recent', 'title'], {
        knowledge_base_id: field.id.optional().describe('Only articles of this knowledge base.'),
        category_id: field.id.optional().describe('Only articles of this category.'),
        status: Status.optional().describe('Only articles with this status.'),
        visibility: Visibility.optional().describe('Only articles with this visibility.'),
        language: Language.optional().describe('Only articles that are written in this language.'),
        tag: field.text(1, 100).optional().describe('Only articles with this tag: its id, or its name ignoring case.'),
        search: field.search,
      }),
      offset: ArticleItem,
      cursor: ArticleItem,
    },
    create: {
      method: 'POST',
      path: '/articles',
      summary: 'Create an article',
      description: 'A draft, unless you say otherwise.',
      body: ArticleCreate,
      created: Article,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        knowledge_base_id: EXAMPLE_ID,
        title: `Oiling the table top ${n}`,
        content: '# Oiling\n\nOnce a year.',
      }),
    },
    get: { method: 'GET', path: '/articles/{id}', summary: 'Get an article', ok: Article },
    update: {
      method: 'PATCH',
      path: '/articles/{id}',
      summary: 'Change an article',
      description: 'When the title or the content changes, the text that it had is kept as a version.',
      body: ArticleUpdate,
      ok: Article,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({ title: `Waxing the table top ${n}`, content: '# Waxing\n\nTwice a year.' }),
    },
    delete: {
      method: 'DELETE',
      path: '/articles/{id}',
      summary: 'Delete an article',
      description: 'With its translations and versions. To take it from visitors only, give it another status.',
    },
    getTags: {
      method: 'GET',
      path: '/articles/{id}/tags',
      summary: 'List the tags of an article',
      query: offsetQuery({}, TAGS_MAX),
      offset: ArticleTag,
    },
    replaceTags: {
      method: 'PUT',
      path: '/articles/{id}/tags',
      summary: 'Replace the tags of an article',
      description: 'Whatever is not in the list is taken off.',
      query: offsetQuery({}, TAGS_MAX),
      body: ArticleTagsReplace,
      offset: ArticleTag,
      errors: ['unprocessable'],
      example: () => ({ tag_ids: [] }),
    },
  },
)
