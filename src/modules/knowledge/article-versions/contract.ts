import { z } from 'zod'
import { choice, field, offsetQuery, operations, pathNumber } from '../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../platform/contract/languages.ts'
import { Article, articleContent, articleTitle } from '../articles/contract.ts'

const changeSummary = field.text(0, 500).meta({ examples: ['Before the spring revision'] })

export const ArticleVersion = z
  .object({
    object: z.literal('article_version'),
    id: field.id,
    article_id: field.id,
    version_number: z.int().meta({ description: 'Starts at 1, without gaps.', examples: [1] }),
    title: articleTitle,
    content: articleContent,
    language: ContentLanguage,
    change_summary: changeSummary.nullable(),
    created_at: field.timestamp,
  })
  .meta({
    id: 'ArticleVersion',
    description: 'A previous text of an article. It never changes and is kept as long as the article.',
  })
export type ArticleVersion = z.infer<typeof ArticleVersion>

export const ArticleVersionCreate = z
  .strictObject({ change_summary: changeSummary.nullable().optional() })
  .meta({ id: 'ArticleVersionCreate' })
export type ArticleVersionCreate = z.output<typeof ArticleVersionCreate>

const text = z.string().meta({ examples: ['Once a year.\n'] })
const line = z.int().meta({ description: 'Line number, starting at 1.', examples: [1] })

const Words = z
  .array(
    z.object({
      type: choice({ equal: 'In both texts.', removed: 'Only in the text before.', added: 'Only in the text after.' }),
      text: z.string().meta({ examples: ['year'] }),
    }),
  )
  .meta({
    description:
      'Join `equal` and `removed` words to get the text before, `equal` and `added` words to get the text after.',
    examples: [
      [
        { type: 'equal', text: 'Once a ' },
        { type: 'removed', text: 'month' },
        { type: 'added', text: 'year' },
      ],
    ],
  })

const Row = z.discriminatedUnion('type', [
  z.object({ type: z.literal('equal'), before_line: line, after_line: line, text }),
  z.object({ type: z.literal('removed'), before_line: line, after_line: z.null(), text }),
  z.object({ type: z.literal('added'), before_line: z.null(), after_line: line, text }),
  z
    .object({ type: z.literal('changed'), before_line: line, after_line: line, words: Words })
    .describe('A line whose words changed.'),
  z
    .object({ type: z.literal('folded'), before_line: line, after_line: line, count: z.int() })
    .describe('A number of equal lines that are left out because they are far from any change.'),
])

export const ArticleVersionDiff = z
  .object({
    object: z.literal('article_version_diff'),
    article_id: field.id,
    from_version: z.int().meta({ examples: [1] }),
    to_version: z.int().meta({ examples: [2] }),
    title: Words,
    content: z.object({
      added: z
        .int()
        .meta({ description: 'Number of lines. A changed line counts as added and as removed.', examples: [1] }),
      removed: z.int().meta({ examples: [1] }),
      is_truncated: z.boolean().meta({ description: 'Whether there are more than 20,000 rows.', examples: [false] }),
      rows: z.array(Row).meta({
        examples: [[{ type: 'added', before_line: null, after_line: 1, text: 'Once a year.\n' }]],
      }),
    }),
  })
  .meta({
    id: 'ArticleVersionDiff',
    description: 'The differences between two texts of an article, by line and by word.',
  })
export type ArticleVersionDiff = z.infer<typeof ArticleVersionDiff>

const number = pathNumber({ description: 'The number of a version, or of the current text.' })

const params = {
  params: { version: pathNumber({ description: 'The number of the version, starting at 1.' }) },
} as const

export const articleVersions = operations(
  {
    name: 'article-versions',
    title: 'Article versions',
    about:
      'Every previous text of an article. A version is created whenever the title or the content changes. You can ' +
      'read, compare and restore versions.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/{id}/versions',
      summary: 'List the versions of an article',
      description:
        'Newest first. The current text of the article is not in the list. A page can have at most 4 MiB of text; ' +
        'otherwise the response is 400, and you need a smaller `page_size`.',
      query: offsetQuery({}),
      offset: ArticleVersion,
    },
    create: {
      method: 'POST',
      path: '/articles/{id}/versions',
      summary: 'Save the current text as a version',
      body: ArticleVersionCreate,
      created: ArticleVersion,
      example: (n) => ({ change_summary: `Before the spring revision ${n}` }),
    },
    get: {
      method: 'GET',
      path: '/articles/{id}/versions/{version}',
      summary: 'Get a version',
      ...params,
      ok: ArticleVersion,
    },
    diff: {
      method: 'GET',
      path: '/articles/{id}/versions/{from}/diff/{to}',
      summary: 'Compare two versions',
      description:
        'You can compare in either direction. The number of the current text is the `version_number` of the article.',
      params: { from: number, to: number },
      ok: ArticleVersionDiff,
      errors: ['unprocessable'],
    },
    restore: {
      method: 'POST',
      path: '/articles/{id}/versions/{version}/restore',
      summary: 'Restore a version',
      description:
        'Sets the title and the content of the article to those of the version. The current text is kept as a new ' +
        'version.',
      ...params,
      ok: Article,
      errors: ['unprocessable'],
    },
  },
)
