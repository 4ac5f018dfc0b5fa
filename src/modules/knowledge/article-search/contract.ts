import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Language } from '../../../platform/contract/languages.ts'

export const ArticleSearchResult = z
  .object({
    object: z.literal('article_search_result'),
    article_id: field.id,
    language: Language.describe('The language of the matching text.'),
    title: z.string().meta({ examples: ['Connecting a printer'] }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'The public address. Null unless the article is public and its knowledge base is published.',
        examples: ['https://go.acme.com/kb/aB3dE5gH/en/articles/connecting-a-printer'],
      }),
    snippet: z.string().meta({
      description: 'The matching passage as escaped HTML, with the matches in `<mark>`.',
      examples: ['Press the button until your <mark>printer</mark> blinks…'],
    }),
    score: z
      .number()
      .meta({ description: 'Relevance. Comparable only within the results of one search.', examples: [13.52] }),
  })
  .meta({ id: 'ArticleSearchResult', description: 'A matching article in one of its languages.' })
export type ArticleSearchResult = z.infer<typeof ArticleSearchResult>

export const articleSearch = operations(
  {
    name: 'article-search',
    title: 'Article search',
    about: 'Full-text search in published articles and their translations.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/search',
      summary: 'Search articles',
      description:
        'Returns published articles that contain all the words, best matches first. A match in the title counts ' +
        'more than one in the text, and the exact word more than another form of it. The last word may be ' +
        'unfinished. A word that no article contains is treated as a misspelling. Each translation is a separate ' +
        'result. `total` is at most 10,000, and later results cannot be listed.',
      query: offsetQuery({
        q: field
          .name(200)
          .describe('The words to search for.')
          .meta({ examples: ['connect printer'] }),
        knowledge_base_id: field.id.optional().describe('Only articles of this knowledge base.'),
        language: Language.optional().describe('Only texts in this language.'),
      }),
      offset: ArticleSearchResult,
    },
  },
)
