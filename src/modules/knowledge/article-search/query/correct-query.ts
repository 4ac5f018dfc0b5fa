import { tokenize } from '../full-text/tokens.ts'
import type { CorrectedWord } from './find-words.ts'
import type { ReadQuery } from './query-words.ts'
import { createMatchers } from './word-matcher.ts'

/** The best result nearly always has the corrected words. Reading a text takes some milliseconds. */
const TEXTS_READ_MAX = 3

interface FoundText {
  language: string
  title: string
  /** Its beginning. */
  plain: string
}

/**
 * Returns the query with the words that were searched for in place of unknown ones; undefined without any. They are spelled as in
 * the best result: the vocabulary has neither accents nor capital letters.
 */
export function correctQuery(
  q: string,
  { tokens }: ReadQuery,
  corrections: readonly CorrectedWord[],
  best: readonly FoundText[],
): string | undefined {
  if (corrections.length === 0 || best.length === 0) return undefined
  const spellings = findSpellings(corrections, best.slice(0, TEXTS_READ_MAX))
  let corrected = ''
  let done = 0
  for (const { text, start, end } of tokens) {
    const n = corrections.findIndex(({ word }) => word.text === text)
    if (n === -1) continue
    const typed = q.slice(start, end)
    corrected += q.slice(done, start) + capitalisedLike(typed, spellings.get(n) ?? likeliest(corrections[n]))
    done = end
  }
  return corrected + q.slice(done)
}

/** Returns by word what the first of the texts that has one of its corrections has. */
function findSpellings(corrections: readonly CorrectedWord[], texts: readonly FoundText[]): Map<number, string> {
  const spellings = new Map<number, string>()
  const matcherOf = createMatchers(corrections.map(({ word, corrections: variants }) => ({ ...word, variants })))
  for (const { language, title, plain } of texts) {
    if (spellings.size === corrections.length) break
    const matcher = matcherOf(language)
    const best = new Map<number, { fit: number; spelling: string }>()
    for (const text of [title, plain]) {
      for (const token of tokenize(text, false)) {
        for (const { word, fit } of matcher.find(token.text)) {
          if (fit <= (best.get(word)?.fit ?? 0)) continue
          best.set(word, { fit, spelling: text.slice(token.start, token.end).toLocaleLowerCase(language) })
        }
      }
    }
    for (const [word, { spelling }] of best) if (!spellings.has(word)) spellings.set(word, spelling)
  }
  return spellings
}

const likeliest = (word: CorrectedWord | undefined): string => word?.corrections[0]?.parts[0]?.text ?? ''

const CAPITAL = /^\p{Lu}/u
const FIRST = /^./su

const capitalisedLike = (typed: string, word: string): string =>
  CAPITAL.test(typed) ? word.replace(FIRST, (first) => first.toUpperCase()) : word
