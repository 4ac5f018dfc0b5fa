import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../platform/contract/languages.ts'
import { articleContent, articleTitle, articleUrl, articleWarnings, contentPlain } from '../articles/contract.ts'

const title = articleTitle.meta({ examples: ['Die Tischplatte ölen'] })
const content = articleContent.meta({ examples: ['# Ölen\n\nEinmal im Jahr.'] })
const language = ContentLanguage.meta({ examples: ['de'] })

export const ArticleTranslation = z
  .object({
    object: z.literal('article_translation'),
    id: field.id,
    article_id: field.id,
    language,
    title,
    url: articleUrl.meta({ examples: ['https://go.acme.com/kb/aB3dE5gH/de/articles/oiling-the-table-top'] }),
    content,
    content_plain: contentPlain.meta({ examples: ['Ölen Einmal im Jahr.'] }),
    warnings: articleWarnings,
    is_stale: z.boolean().meta({
      description: 'Whether the text of the article has changed since this translation was last changed.',
      examples: [false],
    }),
    created_at: field.timestamp,
    updated_at: field.timestamp,
  })
  .meta({
    id: 'ArticleTranslation',
    description: 'The title and content of an article in another language. All other fields belong to the article.',
  })
export type ArticleTranslation = z.infer<typeof ArticleTranslation>

export const ArticleTranslationCreate = z
  .strictObject({ language, title, content })
  .meta({ id: 'ArticleTranslationCreate' })
export type ArticleTranslationCreate = z.output<typeof ArticleTranslationCreate>

export const ArticleTranslationUpdate = z
  .strictObject({ title: title.optional(), content: content.optional() })
  .meta({ id: 'ArticleTranslationUpdate' })
export type ArticleTranslationUpdate = z.output<typeof ArticleTranslationUpdate>

const params = { params: { language: language.describe('The language of the translation.') } } as const

export const articleTranslations = operations(
  {
    name: 'article-translations',
    title: 'Article translations',
    about:
      'Articles in other languages. Visitors read an article in their own language if there is a translation. ' +
      '`is_stale` tells you when a translation needs an update.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/{id}/translations',
      summary: 'List the translations of an article',
      description:
        'Newest first. A page can have at most 4 MiB of text; otherwise the response is 400, and you need a smaller ' +
        '`page_size`.',
      query: offsetQuery({}),
      offset: ArticleTranslation,
    },
    create: {
      method: 'POST',
      path: '/articles/{id}/translations',
      summary: 'Translate an article',
      description: 'Each language can be added once. The language of the article itself cannot be added.',
      body: ArticleTranslationCreate,
      created: ArticleTranslation,
      errors: ['conflict', 'unprocessable'],
      example: (n) => ({
        language: 'de',
        title: `Die Tischplatte ölen ${n}`,
        content: '# Ölen\n\nEinmal im Jahr.',
      }),
    },
    get: {
      method: 'GET',
      path: '/articles/{id}/translations/{language}',
      summary: 'Get a translation',
      ...params,
      ok: ArticleTranslation,
    },
    update: {
      method: 'PATCH',
      path: '/articles/{id}/translations/{language}',
      summary: 'Change a translation',
      ...params,
      body: ArticleTranslationUpdate,
      ok: ArticleTranslation,
      errors: ['unprocessable'],
      example: (n) => ({ title: `Die Tischplatte wachsen ${n}` }),
    },
    delete: {
      method: 'DELETE',
      path: '/articles/{id}/translations/{language}',
      summary: 'Delete a translation',
      description: 'Visitors with this language then see the article in its original language.',
      ...params,
    },
  },
)
