import type { ContentLanguage } from '../../../../platform/contract/languages.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import {
  correctionsOf,
  type FindInQuery,
  isFunctionWord,
  misspeltFunctionWord,
  selectKnownWords,
  stem,
} from '../../../knowledge/article-search/index.ts'
import { wordsOf } from '../../../knowledge/question-words/index.ts'
import { FIT, type Term } from './question-terms.ts'
import { alternativesOf } from './synonyms.ts'

/** Each takes up to two look-ups. */
const WORDS_MAX = 6
const CORRECTIONS_MAX = 4
const PART_LENGTH_MIN = 3
/** What German and its neighbours put between the parts of a word. */
const LINKS = ['', 's', 'es', 'n', 'en', 'e', 'er']

export interface ReplacedWord {
  unknown: Term
  /** Known words that are spelled nearly so, or the two that it consists of. None if it says as little as the word it is meant to be. */
  terms: Term[]
  /** The word that it is meant to be, if that one says little. */
  meant?: string
}

/** Replaces words that no passage has. Words that nothing known is near to are not in the result. */
export async function replaceUnknown(
  db: Db,
  orgId: OrgId,
  language: ContentLanguage,
  unknown: readonly Term[],
  synonymsIn: FindInQuery,
): Promise<ReplacedWord[]> {
  const replaced: ReplacedWord[] = []
  const words = wordsOf(language)
  const isListed = (term: Term) => words.all.has(term.text) || synonymsIn([term], language).length > 0
  const isMisspelt = (term: Term) => !term.isGram && !term.isHint && !isListed(term)
  for (const term of unknown.filter(isMisspelt).slice(0, WORDS_MAX)) {
    const corrections = (await correctionsOf(db, orgId, [language], term.text)).slice(0, CORRECTIONS_MAX)
    const meant = misspeltFunctionWord(term.text, language) ?? corrections[0]?.word
    if (meant !== undefined && saysLittle(meant, language)) {
      replaced.push({ unknown: term, terms: [], meant })
      continue
    }
    if (corrections.length > 0) {
      const alternatives = corrections.flatMap(({ word: spelling }) =>
        alternativesOf(synonymsIn, spelling, language).map(({ word, fit }) => ({
          ...{ word, spelling, fit: fit * FIT.correction },
        })),
      )
      replaced.push({ unknown: term, terms: [{ ...term, alternatives }] })
      continue
    }
    const terms = (await partsOf(db, orgId, language, term.text)).map((part) => ({
      ...term,
      alternatives: [{ word: stem(part, language), fit: FIT.part }],
      name: [],
      weight: term.weight / 2,
    }))
    if (terms.length > 0) replaced.push({ unknown: term, terms })
  }
  return replaced
}

const saysLittle = (word: string, language: ContentLanguage): boolean =>
  isFunctionWord(word, language) || wordsOf(language).weakWords.has(word)

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
