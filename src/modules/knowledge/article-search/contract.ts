import { z } from 'zod'
import { field, offsetQuery, operations } from '../../../platform/contract/index.ts'
import { ContentLanguage } from '../../../platform/contract/languages.ts'
import { articleFamily } from '../articles/contract.ts'

export const ArticleSearchResult = z
  .object({
    object: z.literal('article_search_result'),
    article_id: field.id,
    language: ContentLanguage.describe('The language of the matching text.'),
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
    category_path: z
      .array(
        z.object({
          id: field.id,
          name: z
            .string()
            .max(200)
            .meta({ examples: ['Printers'] }),
        }),
      )
      .describe(
        'The category of the article and those above it, from the top-level one; at most 20. Empty without a category.',
      ),
    missing_words: z.array(z.string().meta({ examples: ['wireless'] })).meta({
      description: 'The words of `q` that the article does not contain in any form.',
      examples: [['wireless']],
    }),
  })
  .meta({ id: 'ArticleSearchResult', description: 'A matching article in one of its languages.' })
export type ArticleSearchResult = z.infer<typeof ArticleSearchResult>

export const articleSearch = operations(articleFamily, {
  search: {
    method: 'GET',
    path: '/articles/search',
    summary: 'Search articles',
    description:
      'Returns published articles that contain the words, best matches first. Articles with some of the words ' +
      'follow those with all of them, and `missing_words` says which are missing. Rare words count more than ' +
      'frequent ones, a match in the title or a heading more than one in the text, the exact word more than another ' +
      'form of it, and words near each other more than words far apart. The last word may be unfinished. A word ' +
      'that no article of the knowledge base contains is treated as a misspelling. Words may be written together ' +
      'or apart (`auto fill`, `autofill`). Everyday synonyms are found after the words themselves (`fingerprint`: ' +
      '"Face ID"), unless the knowledge base has them turned off. With `knowledge_base_id`, its own synonyms are ' +
      'found, too. Each translation is a separate result. `total` is at most 5,000, and later results cannot be listed.',
    query: offsetQuery({
      q: field
        .name(200)
        .describe('The words to search for.')
        .meta({ examples: ['connect printer'] }),
      knowledge_base_id: field.id.optional().describe('Only articles of this knowledge base.'),
      language: ContentLanguage.optional().describe('Only texts in this language.'),
    }),
    offset: ArticleSearchResult,
  },
})
