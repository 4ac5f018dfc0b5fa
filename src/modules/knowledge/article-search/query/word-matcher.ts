import type { Matcher } from '../full-text/excerpt.ts'
import { stem } from '../full-text/languages/index.ts'
import type { QueryWord } from './query-words.ts'

/** What another form of a word counts, compared with the same form. */
const OTHER_FORM = 0.8

const LAST_LATIN = 'z'.charCodeAt(0)
const NONE: readonly Match[] = []

interface Match {
  /** The index of the word in the query. */
  word: number
  fit: number
  /** Set if a text needs further parts for this match. */
  partOf?: { variant: number; part: number; parts: number }
  /** Whether it is marked: one pair of characters of an everyday synonym is nearly always in another word. */
  isMarked: boolean
}

interface Entry extends Match {
  text: string
  isAnyForm: boolean
}

/** Matches words of texts in one language with the words of the query. */
export class WordMatcher implements Matcher {
  readonly withSingles: boolean
  readonly #language: string
  readonly #count: number
  readonly #exact = new Map<string, Entry[]>()
  readonly #byStem = new Map<string, Entry[]>()
  readonly #cache = new Map<string, readonly Match[]>()
  /** They rule out most words of a text without computing their stems: endings never change a first Latin letter. */
  readonly #firstLetters = new Set<number>()
  /** Whether another form may begin with another letter. */
  #mayBeginOtherwise = false

  constructor(words: readonly QueryWord[], language: string) {
    this.#language = language
    this.#count = words.length
    this.withSingles = words.some(({ text, isGram }) => isGram && [...text].length === 1)
    for (const [word, { variants }] of words.entries()) {
      for (const [variant, { language: only, parts, isAnyForm, fit, isEveryday }] of variants.entries()) {
        if (only !== undefined && only !== language) continue
        for (const [part, { text, isGram }] of parts.entries()) {
          const partOf = parts.length > 1 ? { partOf: { variant, part, parts: parts.length } } : {}
          this.#firstLetters.add(text.charCodeAt(0))
          const isMarked = !(isEveryday && isGram && parts.length > 1)
          const entry = { word, fit, text, isAnyForm: isAnyForm && !isGram, isMarked, ...partOf }
          this.#exact.getOrInsertComputed(text, () => []).push(entry)
          if (!entry.isAnyForm) continue
          this.#byStem.getOrInsertComputed(stem(text, language), () => []).push(entry)
          if (text.charCodeAt(0) > LAST_LATIN) this.#mayBeginOtherwise = true
        }
      }
    }
  }

  match({ text }: { text: string }): number | undefined {
    return this.find(text).find(({ isMarked }) => isMarked)?.word
  }

  /** Returns the words of the query that a word of a text matches, the best first. */
  find(text: string): readonly Match[] {
    if (!this.mayMatch(text)) return NONE
    const known = this.#cache.get(text)
    if (known !== undefined) return known
    const exact = this.#exact.get(text) ?? []
    const others = this.#byStem.get(stem(text, this.#language)) ?? []
    const matches = [
      ...exact,
      ...others.filter((entry) => entry.text !== text).map((entry) => ({ ...entry, fit: entry.fit * OTHER_FORM })),
    ].sort((a, b) => b.fit - a.fit)
    this.#cache.set(text, matches)
    return matches
  }

  /** Whether a word that begins like this may match. */
  mayMatch(text: string): boolean {
    const first = text.charCodeAt(0)
    return this.#firstLetters.has(first) || (first > LAST_LATIN && this.#mayBeginOtherwise)
  }

  /** Starts to collect how well each word of the query is matched in a part of a text. */
  collect(): Fits {
    return new Fits(this, this.#count)
  }
}

/** How well each word of the query is matched in a part of a text. */
class Fits {
  readonly fits: number[]
  readonly #matcher: WordMatcher
  /** The parts seen of variants that have several, as bits. */
  readonly #seen = new Map<string, number>()

  constructor(matcher: WordMatcher, count: number) {
    this.#matcher = matcher
    this.fits = Array.from({ length: count }, () => 0)
  }

  /** Returns the index of the word of the query that is marked in the text. */
  add(text: string): number | undefined {
    const matches = this.#matcher.find(text)
    for (const { word, fit, partOf } of matches) {
      if (partOf !== undefined) {
        const key = `${word} ${partOf.variant}`
        const seen = (this.#seen.get(key) ?? 0) | (1 << partOf.part)
        this.#seen.set(key, seen)
        if (seen !== (1 << partOf.parts) - 1) continue
      }
      this.fits[word] = Math.max(this.fits[word] ?? 0, fit)
    }
    return matches.find(({ isMarked }) => isMarked)?.word
  }
}

/** Returns a function that creates one matcher per language, so that texts of a language share its cache. */
export function createMatchers(words: readonly QueryWord[]): (language: string) => WordMatcher {
  const matchers = new Map<string, WordMatcher>()
  return (language) => matchers.getOrInsertComputed(language, () => new WordMatcher(words, language))
}
