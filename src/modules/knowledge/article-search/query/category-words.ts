import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { nearestOf } from '../../../../platform/text/negotiate-language.ts'
import { tokenize } from '../full-text/tokens.ts'
import type { ArticleQuery } from './article-query.ts'
import { type NamedCategory, selectCategories, selectTextsIn } from './category-queries.ts'
import type { QueryWord } from './query-words.ts'
import { createMatchers } from './word-matcher.ts'

/** More are not searched. */
const CATEGORIES_MAX = 300
const ARTICLES_MAX = 1000

/**
 * Returns for each word the texts in categories whose names have it. "Fridge" finds what is in the category "Fridges",
 * even if an article does not repeat it.
 */
export async function selectInCategories(
  db: Db,
  orgId: OrgId,
  words: readonly QueryWord[],
  languages: readonly string[],
  { knowledge_base_id: knowledgeBaseId, visibility }: ArticleQuery,
): Promise<number[][]> {
  const found: number[][] = words.map(() => [])
  if (knowledgeBaseId === undefined || words.length === 0) return found
  const categories = await selectCategories(db, orgId, knowledgeBaseId, CATEGORIES_MAX)
  const matcherOf = createMatchers(words)
  /** The words of a category's own name. */
  const named = new Map(categories.map((category) => [category.id, wordsOf(category)]))
  const byId = new Map(categories.map((category) => [category.id, category]))
  const all = new Map(categories.map((category) => [category.id, withAncestors(category)]))
  const wanted = [...all].filter(([, those]) => those.size > 0).map(([id]) => id)
  const texts = await selectTextsIn(db, orgId, wanted, languages, visibility, ARTICLES_MAX)
  for (const { id, category_id } of texts) {
    for (const word of all.get(category_id) ?? []) found[word]?.push(id)
  }
  return found

  /** Returns the indexes of the words. */
  function wordsOf({ name, names }: NamedCategory): Set<number> {
    const those = new Set<number>()
    for (const language of languages) {
      const collected = matcherOf(language).collect()
      const translated = names[nearestOf(language, Object.keys(names)) ?? ''] ?? ''
      for (const token of tokenize(`${name} ${translated}`, true)) collected.add(token.text)
      for (const [n, fit] of collected.fits.entries()) if (fit > 0) those.add(n)
    }
    return those
  }

  function withAncestors(category: NamedCategory): Set<number> {
    const those = new Set<number>()
    let at: NamedCategory | undefined = category
    for (let level = 0; at !== undefined && level < CATEGORIES_MAX; level++) {
      for (const word of named.get(at.id) ?? []) those.add(word)
      at = byId.get(at.parent_id ?? '')
    }
    return those
  }
}
