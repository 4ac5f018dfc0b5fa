import { isFunctionWord, stem } from '../full-text/languages/index.ts'
import { tokenize } from '../full-text/tokens.ts'
import type { Terms } from '../terms.ts'

export interface SearchableText {
  language: string
  title: string
  /** Markdown. */
  content: string
  plain: string
}

/** What the index stores of a text. */
export interface AnalysedText {
  language: string
  terms: string[]
  /** Folded, in order, as are those of the headings. */
  title_words: string
  heading_words: string
  /** The most frequent words as `stem:count`, most frequent first. */
  prominent: string
  /** Number of words. */
  length: number
  /** Distinct words for the vocabulary. */
  words: string[]
}

/** More than real texts have. PostgreSQL limits a `tsvector` to one megabyte. */
const TERMS_BYTES_MAX = 900_000
const BYTES_PER_CHARACTER = 3
const PROMINENT_MAX = 32
/** Ranking reads them for every candidate. */
const HEADING_WORDS_MAX = 100
const PROMINENT_COUNT_MIN = 2

/** Words with at least two letters complete unfinished words and correct misspelt ones. */
const IN_VOCABULARY = /\p{L}.*\p{L}/u

/** Returns the index rows of a text. `stems` caches stems across texts of one language. */
export function analyse(
  text: SearchableText,
  headings: readonly string[],
  of: Terms,
  stems: Map<string, string>,
): AnalysedText {
  const { language } = text
  const seen = new Map<string, string>()
  const counts = new Map<string, number>()
  const words = new Set<string>()
  const terms = new Set<string>()
  let room = TERMS_BYTES_MAX
  let length = 0

  const add = (word: string, isGram: boolean): void => {
    let stemmed = seen.get(word)
    if (stemmed === undefined) {
      if (room <= 0) return
      stemmed = isGram ? word : (stems.get(word) ?? stem(word, language))
      if (!isGram) stems.set(word, stemmed)
      seen.set(word, stemmed)
      // Grams have no other forms.
      for (const term of isGram
        ? [of.exact(language, word)]
        : [of.exact(language, word), of.anyForm(language, stemmed)]) {
        room -= BYTES_PER_CHARACTER * term.length
        terms.add(term)
      }
      if (!isGram && IN_VOCABULARY.test(word)) words.add(word)
    }
    counts.set(stemmed, (counts.get(stemmed) ?? 0) + 1)
  }

  const titleWords: string[] = []
  for (const token of tokenize(text.title, true)) {
    add(token.text, token.isGram)
    titleWords.push(token.text)
    terms.add(of.inTitle(language, seen.get(token.text) ?? token.text))
  }
  for (const token of tokenize(text.plain, true)) {
    add(token.text, token.isGram)
    length++
  }

  const headingWords: string[] = []
  for (const token of tokenize(headings.join('\n'), true)) {
    if (headingWords.length === HEADING_WORDS_MAX) break
    headingWords.push(token.text)
    // The word stays without a stem if the text has no room for more terms.
    const stemmed = seen.get(token.text)
    if (stemmed !== undefined && !isFunctionWord(token.text, language)) terms.add(of.prominent(language, stemmed))
  }

  const prominent = [...counts]
    .filter(([word, count]) => count >= PROMINENT_COUNT_MIN && !isFunctionWord(word, language))
    .sort(([, a], [, b]) => b - a)
    .slice(0, PROMINENT_MAX)
  for (const [word] of prominent) terms.add(of.prominent(language, word))
  return {
    language,
    terms: [...terms],
    title_words: titleWords.join(' '),
    heading_words: headingWords.join(' '),
    prominent: prominent.map(([word, count]) => `${word}:${count}`).join(' '),
    length,
    words: [...words],
  }
}
