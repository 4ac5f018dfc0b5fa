import { z } from 'zod'
import { field, offsetQuery, operations, pathNumber } from '../../../platform/contract/index.ts'
import { Article, articleContent, articleTitle } from '../articles/contract.ts'
import { Language } from '../languages/contract.ts'

const changeSummary = field.text(0, 500).meta({ examples: ['Before the spring revision'] })

/** A text that an article had. */
export const ArticleVersion = z
  .object({
    object: z.literal('article_version'),
    id: field.id,
    article_id: field.id,
    version_number: z.int().meta({ description: 'From 1, without gaps.', examples: [1] }),
    title: articleTitle,
    content: articleContent,
    language: Language,
    change_summary: changeSummary.nullable(),
    created_at: field.timestamp,
  })
  .meta({ id: 'ArticleVersion', description: 'A text that an article had. Never changed, and there as long as it is.' })
export type ArticleVersion = z.infer<typeof ArticleVersion>

export const ArticleVersionCreate = z
  .strictObject({ change_summary: changeSummary.nullable().optional() })
  .meta({ id: 'ArticleVersionCreate' })
export type ArticleVersionCreate = z.output<typeof ArticleVersionCreate>

const text = z.string().meta({ examples: ['Once a year.\n'] })
const line = z.int().meta({ description: 'Lines count from 1.', examples: [1] })

const Words = z
  .array(z.object({ type: z.enum(['equal', 'removed', 'added']), text: z.string().meta({ examples: ['year'] }) }))
  .meta({
    description:
      'With those removed and without those added it is the text before; the other way round, the text after.',
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
    .describe('A line that is there before and after, with other words.'),
  z
    .object({ type: z.literal('folded'), before_line: line, after_line: line, count: z.int() })
    .describe('So many equal lines, which are left out because no change is near.'),
])

/** What changed from one version to another, as data. */
export const ArticleVersionDiff = z
  .object({
    object: z.literal('article_version_diff'),
    article_id: field.id,
    from_version: z.int().meta({ examples: [1] }),
    to_version: z.int().meta({ examples: [2] }),
    title: Words,
    content: z.object({
      added: z.int().meta({ description: 'In lines. One that changed counts as added and as removed.', examples: [1] }),
      removed: z.int().meta({ examples: [1] }),
      is_truncated: z.boolean().meta({ description: 'Whether there are more than 20,000 rows.', examples: [false] }),
      rows: z.array(Row).meta({
        examples: [[{ type: 'added', before_line: null, after_line: 1, text: 'Once a year.\n' }]],
      }),
    }),
  })
  .meta({
    id: 'ArticleVersionDiff',
    description: 'What changed from one text of an article to another: lines, and words.',
  })
export type ArticleVersionDiff = z.infer<typeof ArticleVersionDiff>

const number = pathNumber({ description: 'The number of a version, or that of the present text.' })

const params = { params: { version: pathNumber({ description: 'The number of the version, from 1.' }) } } as const

export const articleVersions = operations(
  {
    name: 'article-versions',
    title: 'Article versions',
    about:
      'Every text that an article had. Kept by itself whenever the title or the content changes: look, compare, go back.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/{id}/versions',
      summary: 'List the versions of an article',
      description: 'The latest first. The text that the article has now is not among them.',
      query: offsetQuery({}),
      offset: ArticleVersion,
    },
    snapshot: {
      method: 'POST',
      path: '/articles/{id}/versions',
      summary: 'Keep the present text as a version',
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
      description: 'In whichever order you like. The present text has a number too: `version_number` of the article.',
      params: { from: number, to: number },
      ok: ArticleVersionDiff,
      errors: ['unprocessable'],
    },
    restore: {
      method: 'POST',
      path: '/articles/{id}/versions/{version}/restore',
      summary: 'Go back to a version',
      description:
        'The article gets the title and the content of the version; the text that it has until then is kept as a version, too.',
      ...params,
      ok: Article,
      errors: ['unprocessable'],
    },
  },
)
