import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { correctionsOf, selectKnownWords, stem } from '../../../knowledge/article-search/index.ts'
import { FIT, type Term } from './question-terms.ts'

/** Each takes up to two look-ups. */
const WORDS_MAX = 6
const CORRECTIONS_MAX = 4
const PART_LENGTH_MIN = 3
/** What German and its neighbours put between the parts of a word. */
const LINKS = ['', 's', 'es', 'n', 'en', 'e', 'er']

/**
 * Returns terms to use in place of words that no passage has: known words that are spelled nearly so, or the two known
 * words that it consists of. Words without either are left out.
 */
export async function replaceUnknown(
  db: Db,
  orgId: OrgId,
  language: ContentLanguage,
  unknown: readonly Term[],
): Promise<Term[]> {
  const replaced: Term[] = []
  for (const term of unknown.filter(({ isGram, isHint }) => !isGram && !isHint).slice(0, WORDS_MAX)) {
    const corrections = (await correctionsOf(db, orgId, [language], term.text)).slice(0, CORRECTIONS_MAX)
    if (corrections.length > 0) {
      const stems = new Set(corrections.map(({ word }) => stem(word, language)))
      replaced.push({ ...term, alternatives: Array.from(stems, (word) => ({ word, fit: FIT.correction })) })
      continue
    }
    for (const part of await partsOf(db, orgId, language, term.text)) {
      const alternatives = [{ word: stem(part, language), fit: FIT.part }]
      replaced.push({ ...term, alternatives, weight: term.weight / 2 })
    }
  }
  return replaced
}

/** Returns the two known words of which this one consists, the longer second part first; none if there are no such. */
async function partsOf(db: Db, orgId: OrgId, language: ContentLanguage, word: string): Promise<string[]> {
  if (!/^\p{L}{4,}$/u.test(word)) return []
  const splits: [string, string][] = []
  for (let at = 1; at < word.length; at++) {
    const second = word.slice(at)
    for (const link of LINKS) {
      const first = word.slice(0, at - link.length)
      if (at > link.length && word.slice(0, at).endsWith(link)) splits.push([first, second])
    }
  }
  const isLong = (part: string) => part.length >= PART_LENGTH_MIN
  const isWhole = ([first, second]: [string, string]) =>
    (isLong(first) && isLong(second)) || first.length + second.length <= 2 * PART_LENGTH_MIN
  const possible = splits.filter(isWhole)
  if (possible.length === 0) return []
  const known = new Set(
    (await selectKnownWords(db, orgId, language, [...new Set(possible.flat())])).map((each) => each.word),
  )
  return possible.find(([first, second]) => known.has(first) && known.has(second)) ?? []
}
