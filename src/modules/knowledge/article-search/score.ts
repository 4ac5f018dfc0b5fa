import type { Candidate } from './queries.ts'
import type { QueryWord } from './query-words.ts'
import type { WordMatcher } from './word-matcher.ts'

/** In order of importance. A title says what an article is about. */
const WEIGHT = { title: 10, exact: 2, coverage: 1, frequency: 0.9 }
/** In a text of this many words, a word that occurs twice gets half of the frequency weight. */
const USUAL_LENGTH = 250

/** Returns how well a text matches the query. `isExact`: it contains every word in exactly the form of the query. */
export function scoreOf(
  { title_words, prominent, length }: Candidate,
  words: readonly QueryWord[],
  matcher: WordMatcher,
  isExact: boolean,
): number {
  const fits = words.map(() => 0)
  const title = title_words === '' ? [] : title_words.split(' ')
  let covered = 0
  for (const text of title) {
    const found = matcher.find(text)
    if (found === undefined) continue
    covered++
    fits[found.word] = Math.max(fits[found.word] ?? 0, found.fit)
  }
  const counts = words.map(() => 0)
  for (const entry of prominent === '' ? [] : prominent.split(' ')) {
    const colon = entry.lastIndexOf(':')
    const found = matcher.find(entry.slice(0, colon))
    if (found !== undefined) counts[found.word] = (counts[found.word] ?? 0) + Number(entry.slice(colon + 1))
  }
  const dilution = 0.5 + (1.5 * length) / USUAL_LENGTH
  const score =
    WEIGHT.title * mean(fits) +
    (isExact ? WEIGHT.exact : 0) +
    (title.length > 0 ? (WEIGHT.coverage * covered) / title.length : 0) +
    WEIGHT.frequency * mean(counts.map((count) => count / (count + dilution)))
  return Math.round(score * 1000) / 1000
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
