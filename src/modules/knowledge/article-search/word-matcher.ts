import type { Matcher } from './full-text/excerpt.ts'
import { stem } from './full-text/languages/index.ts'
import type { QueryWord } from './query-words.ts'
import type { KnownWord } from './vocabulary-queries.ts'

/** How well a word of a text matches a word of the query. */
const FIT = { exact: 1, stem: 0.8, completion: 0.7, correction: 0.5 } as const

interface Match {
  /** The index of the word in the query. */
  word: number
  fit: number
}

/** Matches words of texts in one language with the words of the query. */
export class WordMatcher implements Matcher {
  readonly withSingles: boolean
  readonly #words: readonly QueryWord[]
  readonly #language: string
  readonly #cache = new Map<string, Match | undefined>()
  /** Endings never change the first letter, so this rules out most words of a text. */
  readonly #firstLetters: ReadonlySet<number>

  constructor(words: readonly QueryWord[], language: string) {
    this.#words = words
    this.#language = language
    this.withSingles = words.some(({ text, isGram }) => isGram && [...text].length === 1)
    this.#firstLetters = new Set(
      words
        .flatMap(({ text, corrections }) => [text, ...corrections.map(({ word }) => word)])
        .map((word) => word.charCodeAt(0)),
    )
  }

  match({ text }: { text: string }): number | undefined {
    return this.find(text)?.word
  }

  /** Returns the word of the query that fits best. */
  find(text: string): Match | undefined {
    if (!this.#firstLetters.has(text.charCodeAt(0))) return undefined
    if (this.#cache.has(text)) return this.#cache.get(text)
    const stemmed = stem(text, this.#language)
    let best: Match | undefined
    for (const [index, word] of this.#words.entries()) {
      const fit = this.#fit(word, text, stemmed)
      if (fit > (best?.fit ?? 0)) best = { word: index, fit }
    }
    this.#cache.set(text, best)
    return best
  }

  #fit({ text: searched, isGram, completions, corrections }: QueryWord, text: string, stemmed: string): number {
    if (text === searched) return FIT.exact
    if (isGram) return 0
    if (stem(searched, this.#language) === stemmed) return FIT.stem
    const isInLanguage = ({ language }: KnownWord) => language === this.#language
    if (completions.some((known) => isInLanguage(known) && known.word === text)) return FIT.completion
    const isCorrection = corrections.some(
      (known) => isInLanguage(known) && stem(known.word, this.#language) === stemmed,
    )
    return isCorrection ? FIT.correction : 0
  }
}

/** Returns a function that creates one matcher per language, so that texts of a language share its cache. */
export function createMatchers(words: readonly QueryWord[]): (language: string) => WordMatcher {
  const matchers = new Map<string, WordMatcher>()
  return (language) => matchers.getOrInsertComputed(language, () => new WordMatcher(words, language))
}
