import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { Language } from '../languages/contract.ts'

/** An article that has what was asked for, in one of its languages. */
export const ArticleSearchResult = z
  .object({
    object: z.literal('article_search_result'),
    article_id: field.id,
    language: Language.describe('The language of the text that was found.'),
    title: z.string().meta({ examples: ['Connecting a printer'] }),
    url: z
      .string()
      .nullable()
      .meta({
        description: 'Where visitors read it; null unless it is public, in a knowledge base that is published.',
        examples: ['https://go.acme.com/kb/aB3dE5gH/en/articles/connecting-a-printer'],
      }),
    snippet: z.string().meta({
      description: 'The place in the text, as HTML: escaped, with what was asked for in `<mark>`.',
      examples: ['Press the button until your <mark>printer</mark> blinks…'],
    }),
    score: z.number().meta({ description: 'Comparable within one search only.', examples: [13.52] }),
  })
  .meta({ id: 'ArticleSearchResult', description: 'An article that was found, in one of its languages.' })
export type ArticleSearchResult = z.infer<typeof ArticleSearchResult>

export const articleSearch = operations(
  {
    name: 'article-search',
    title: 'Article search',
    about: 'Finds published articles and their translations by what they say.',
    area: 'articles',
  },
  {
    list: {
      method: 'GET',
      path: '/articles/search',
      summary: 'Search articles',
      description:
        'Published articles that have all the words, best first: titles count more than texts, and the very word more than another form of it. A word that no article has is taken for a misspelling, and the last one may be unfinished. Each translation is a result of its own. `total` counts up to 10,000 results, and pages end there.',
      query: offsetQuery({
        q: field
          .name(200)
          .describe('What to look for.')
          .meta({ examples: ['connect printer'] }),
        knowledge_base_id: field.id.optional().describe('Only articles of this knowledge base.'),
        language: Language.optional().describe('Only texts in this language.'),
      }),
      offset: ArticleSearchResult,
    },
  },
)
