import { z } from 'zod'
import { choice, eitherQuery, type Family, field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../platform/contract/languages.ts'
import { ArticleTag } from '../article-tags/contract.ts'

const CONTENT_BYTES_MAX = 500 * 1024
export const TAGS_MAX = 100

export const articleTitle = field.name(300).meta({ examples: ['Oiling the table top'] })

/** The limit is in bytes, as content is stored and sent. */
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
  .meta({ description: 'The content as plain text, without markup.', examples: ['Oiling Once a year.'] })

export const articleWarnings = z
  .array(
    z
      .object({
        line: z.int().meta({ description: 'The line of the content, starting at 1.', examples: [12] }),
        message: z
          .string()
          .meta({ examples: ['A video cannot be shown here. It became a link: https://acme.com/oiling.mp4'] }),
      })
      .meta({ id: 'ArticleWarning' }),
  )
  .meta({
    description: 'Parts of the content that readers do not see as they were written, such as videos. At most 50.',
    examples: [[]],
  })

const slug = field.slug.meta({ examples: ['oiling-the-table-top'] })

const Status = choice({
  draft: 'Being written.',
  unpublished: 'Finished but not public, or no longer public.',
  published: 'Visitors and chatbots can read and find it, as far as `visibility` allows.',
  archived: 'No longer used.',
}).meta({
  description: 'Visitors and chatbots can read and find only `published` articles.',
  examples: ['published'],
})

const Visibility = choice({
  public: 'Everyone.',
  internal: 'Only people in your organisation.',
  chatbot_only: 'Only chatbots, which use it to answer questions.',
}).meta({
  description: 'Who can read it once it is published.',
  examples: ['public'],
})

const IndexingStatus = choice({
  not_started: 'It is not published, so there is nothing to index.',
  pending: 'Waiting to be indexed.',
  processing: 'Being indexed.',
  indexed: 'Search finds its current text.',
  failed: 'Its text could not be indexed.',
}).meta({
  description:
    'Whether the search index contains the published text. Updated in the background, moments after a change.',
  examples: ['indexed'],
})

const SORTS = { recent: 'Newest first.', title: 'By title.' }

const language = ContentLanguage.describe('The language it is written in.')

/** A host and a slug can have about 500 characters together. */
const ADDRESS_LENGTH_MAX = 800

export const articleUrl = z
  .string()
  .max(ADDRESS_LENGTH_MAX)
  .nullable()
  .meta({
    format: 'uri',
    description: 'The public address. Null unless the article is public and its knowledge base is published.',
    examples: ['https://go.acme.com/kb/aB3dE5gH/en/articles/oiling-the-table-top'],
  })

export const Article = z
  .object({
    object: z.literal('article'),
    id: field.id,
    knowledge_base_id: field.id,
    category_id: field.id.nullable().meta({ examples: [null] }),
    title: articleTitle,
    slug: slug.describe(
      'The last part of its public address. Unique in your organisation. After a change, the old slug redirects to ' +
        'the article, and no other article can have it.',
    ),
    url: articleUrl,
    content: articleContent,
    content_plain: contentPlain.nullable(),
    warnings: articleWarnings,
    status: Status,
    visibility: Visibility,
    language,
    indexing_status: IndexingStatus,
    version_number: z.int().meta({ description: 'The number of the current text, starting at 1.', examples: [1] }),
    indexed_at: field.timestamp.nullable(),
    published_at: field.timestamp.nullable().describe('When it was first published.'),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({ id: 'Article', description: 'A text for visitors, written in Markdown, in a knowledge base.' })
export type Article = z.infer<typeof Article>

export const ArticleItem = Article.omit({ content: true, content_plain: true, warnings: true })
  .extend({
    tag_names: z.array(ArticleTag.shape.name).meta({ description: 'In alphabetical order.', examples: [['Care']] }),
  })
  .meta({
    id: 'ArticleItem',
    description: 'An article in a list: without `content`, `content_plain` and `warnings`, with the names of its tags.',
  })
export type ArticleItem = z.infer<typeof ArticleItem>

const fields = {
  category_id: field.id.nullable().optional().describe('A category of the same knowledge base, or null for none.'),
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
    slug: slug
      .optional()
      .describe(
        'The last part of its public address. Unique in your organisation. Defaults to the title as a slug, with a ' +
          'number if that is taken.',
      ),
    language: fields.language.describe('The language it is written in. Defaults to `en`.'),
  })
  .meta({ id: 'ArticleCreate' })
export type ArticleCreate = z.output<typeof ArticleCreate>

export const ArticleUpdate = z
  .strictObject({
    knowledge_base_id: field.id
      .optional()
      .describe('Moves the article. Its category must belong to the new knowledge base.'),
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

export const articleFamily: Family = {
  name: 'articles',
  title: 'Articles',
  about:
    'Texts for visitors, written in Markdown. You decide when to publish them, can translate them, and can read ' +
    'and restore every earlier version.',
  area: 'articles',
}

export const articles = operations(articleFamily, {
  list: {
    method: 'GET',
    path: '/articles',
    summary: 'List articles',
    description:
      'Newest first by default. Uses offset pagination; with `sort=-created_at`, `cursor` or `limit` it uses ' +
      'cursor pagination, which stays fast on later pages.',
    query: eitherQuery(SORTS, {
      knowledge_base_id: field.id.optional().describe('Only articles of this knowledge base.'),
      category_id: field.id.optional().describe('Only articles of this category.'),
      status: Status.optional().describe('Only articles with this status.'),
      visibility: Visibility.optional().describe('Only articles with this visibility.'),
      language: ContentLanguage.optional().describe('Only articles written in this language.'),
      tag: field.text(1, 100).optional().describe('Only articles with this tag: its ID, or its name ignoring case.'),
      search: field.search,
    }),
    offset: ArticleItem,
    cursor: ArticleItem,
  },
  create: {
    method: 'POST',
    path: '/articles',
    summary: 'Create an article',
    description: 'Creates a draft unless you set `status`.',
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
    description: 'If the title or the content changes, the previous text is kept as a version.',
    body: ArticleUpdate,
    ok: Article,
    errors: ['conflict', 'unprocessable'],
    example: (n) => ({ title: `Waxing the table top ${n}`, content: '# Waxing\n\nTwice a year.' }),
  },
  delete: {
    method: 'DELETE',
    path: '/articles/{id}',
    summary: 'Delete an article',
    description:
      'Also deletes its translations and versions. To only hide it from visitors, change its `status` instead.',
  },
  listTags: {
    method: 'GET',
    path: '/articles/{id}/tags',
    noun: 'TagsOfArticle',
    summary: 'List the tags of an article',
    query: offsetQuery({}, TAGS_MAX),
    offset: ArticleTag,
  },
  replaceTags: {
    method: 'PUT',
    path: '/articles/{id}/tags',
    noun: 'TagsOfArticle',
    summary: 'Replace the tags of an article',
    description: 'Removes all tags that are not in the list.',
    query: offsetQuery({}, TAGS_MAX),
    body: ArticleTagsReplace,
    offset: ArticleTag,
    errors: ['unprocessable'],
    example: () => ({ tag_ids: [] }),
  },
})
