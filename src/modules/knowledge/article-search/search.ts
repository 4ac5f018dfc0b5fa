import { LANGUAGES } from '../../../platform/contract/languages.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Hit, toHits } from './hits.ts'
import { countMatches, selectLanguages, selectMatches } from './queries.ts'
import { QueryExpressions, type QueryWord, readQuery } from './query-words.ts'
import { rankPage, TOTAL_MAX } from './rank.ts'
import { Terms } from './terms.ts'
import { completionsOf, correctionsOf } from './vocabulary.ts'
import { isWordKnown } from './vocabulary-queries.ts'
import { createMatchers } from './word-matcher.ts'

export interface ArticleQuery {
  q: string
  knowledge_base_id?: string | undefined
  language?: string | undefined
  visibility?: string | undefined
}

interface SearchResults {
  /** At most `TOTAL_MAX`. */
  total: number
  hits: Hit[]
}

/**
 * Finds the articles that contain all the words, best first. If there are none, corrects misspelt words and tries
 * again.
 */
export async function searchArticles(
  db: Db,
  orgId: OrgId,
  query: ArticleQuery,
  limit: number,
  offset: number,
): Promise<SearchResults> {
  const languages = await selectLanguages(db, orgId, query.language === undefined ? LANGUAGES : [query.language])
  const words = readQuery(query.q, languages)
  const last = words.at(-1)
  if (languages.length === 0 || last === undefined) return { total: 0, hits: [] }
  // The lists of all completions are merged, so take no more of them than `total` would count texts.
  if (!last.isGram) last.completions = await completionsOf(db, orgId, languages, last.text, TOTAL_MAX)

  const terms = new Terms(orgId)
  const scope = terms.scope(query.knowledge_base_id, query.visibility)
  const find = async (queryWords: QueryWord[]): Promise<SearchResults> => {
    const expressions = new QueryExpressions(queryWords, languages, terms, scope)
    const prepared = { words: queryWords, matcherOf: createMatchers(queryWords), expressions }
    // Concurrently: counting takes as long as everything else, and PostgreSQL counts on another processor.
    const [total, hits] = await Promise.all([
      countMatches(db, orgId, expressions.all, TOTAL_MAX),
      rankPage(db, orgId, prepared, limit, offset).then((page) => toHits(db, orgId, prepared, page)),
    ])
    return { total, hits }
  }
  const results = await find(words)
  if (results.total > 0) return results
  const corrected = await correctWords(db, orgId, words, languages, terms)
  return corrected === undefined ? results : find(corrected)
}

/** Adds corrections to words that no article contains in any form. Returns undefined if there are none. */
async function correctWords(
  db: Db,
  orgId: OrgId,
  words: readonly QueryWord[],
  languages: readonly string[],
  terms: Terms,
): Promise<QueryWord[] | undefined> {
  const corrected: QueryWord[] = []
  for (const word of words) {
    const isKnown =
      word.isGram ||
      word.completions.length > 0 ||
      (await isWordKnown(db, orgId, languages, word.text)) ||
      (await selectMatches(db, orgId, new QueryExpressions([word], languages, terms, []).all, 1)).length > 0
    corrected.push(isKnown ? word : { ...word, corrections: await correctionsOf(db, orgId, languages, word.text) })
  }
  return corrected.some(({ corrections }) => corrections.length > 0) ? corrected : undefined
}
