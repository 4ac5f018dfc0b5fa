import { isFunctionWord } from '../full-text/languages/index.ts'
import type { FoundWord } from './find-words.ts'
import type { Candidate } from './queries.ts'
import type { WordMatcher } from './word-matcher.ts'

/** The order is that of importance. A title says what an article is about. */
const WEIGHT = { title: 3, heading: 1.2, text: 1, wholeTitle: 1, frequency: 0.6 }
/** What a nearness and an exactness of 1 add. */
const CLOSE_WEIGHT = { near: 1, exact: 0.6 }
/** In a text of this many words, a word that occurs twice gets half of the frequency weight. */
const USUAL_LENGTH = 250
/** A word in the text, in an unknown form. */
const TEXT_FIT = 0.75
/** … through an everyday synonym. */
const EVERYDAY_TEXT_FIT = 0.6
/** What remains of the score of a text that has nearly none of the words. */
const UNCOVERED_SHARE = 0.25
/** Makes scores readable numbers. */
const SCALE = 10
/** `closenessScore` returns at most this. */
export const CLOSENESS_MAX = SCALE * (CLOSE_WEIGHT.near + CLOSE_WEIGHT.exact)

interface Score {
  score: number
  /** The share of the query that the text has, by what its words say. */
  coverage: number
}

const split = (words: string): string[] => (words === '' ? [] : words.split(' '))
export const round = (score: number): number => Math.round(score * 1000) / 1000

/** Returns how well a text matches the query. `hasAll`: it has all words that are not hints. */
export function scoreOf(
  { id, language, title_words, heading_words, prominent, length }: Candidate,
  words: readonly FoundWord[],
  matcher: WordMatcher,
  hasAll: boolean,
): Score {
  const title = matcher.collect()
  const titleWords = split(title_words).filter((word) => !isFunctionWord(word, language))
  const inTitle = titleWords.filter((word) => title.add(word) !== undefined).length
  const heading = matcher.collect()
  for (const word of split(heading_words)) heading.add(word)
  const counts = words.map(() => 0)
  for (const entry of split(prominent)) {
    if (!matcher.mayMatch(entry)) continue
    const colon = entry.lastIndexOf(':')
    const [match] = matcher.find(entry.slice(0, colon))
    if (match !== undefined) counts[match.word] = (counts[match.word] ?? 0) + Number(entry.slice(colon + 1))
  }
  const dilution = 0.5 + (1.5 * length) / USUAL_LENGTH
  let sum = 0
  let covered = 0
  let titled = 0
  let total = 0
  for (const [n, { importance, isHint, isFrequent, list, ownList }] of words.entries()) {
    const [titleFit, headingFit, count] = [title.fits[n] ?? 0, heading.fits[n] ?? 0, counts[n] ?? 0]
    const isInText = !isHint && (hasAll || list.has(id) || count > 0)
    const textFit = !isInText ? 0 : isFrequent || ownList.has(id) ? TEXT_FIT : EVERYDAY_TEXT_FIT
    sum +=
      importance *
      (WEIGHT.title * titleFit +
        WEIGHT.heading * headingFit +
        WEIGHT.text * textFit +
        (WEIGHT.frequency * count) / (count + dilution))
    titled += importance * titleFit
    if (isHint) continue
    covered += importance * Math.max(titleFit, headingFit, textFit)
    total += importance
  }
  if (total === 0) return { score: 0, coverage: 0 }
  // A title that says little else is about just this.
  if (titleWords.length > 0) sum += (WEIGHT.wholeTitle * titled * inTitle) / titleWords.length
  const coverage = covered / total
  const share = UNCOVERED_SHARE + (1 - UNCOVERED_SHARE) * coverage
  return { score: round((SCALE * sum * share) / total), coverage }
}

/** How a text has the words, as its excerpt shows. */
export interface Closeness {
  /** The words that are near to each other. */
  near: ReadonlySet<number>
  /** How well each word is matched. */
  fits: readonly number[]
}

/** Returns what is added to the score of a text whose content was read. */
export function closenessScore({ near, fits }: Closeness, words: readonly FoundWord[]): number {
  let [nearby, exact, total] = [0, 0, 0]
  for (const [n, { importance, isHint }] of words.entries()) {
    if (isHint) continue
    total += importance
    if (near.has(n)) nearby += importance
    exact += importance * (fits[n] ?? 0)
  }
  if (total === 0) return 0
  // Squared: all words in one place say far more than half of them.
  return round(SCALE * (CLOSE_WEIGHT.near * (nearby / total) ** 2 + (CLOSE_WEIGHT.exact * exact) / total))
}
