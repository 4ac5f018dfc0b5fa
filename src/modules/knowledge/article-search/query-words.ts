import type { Matcher } from './full-text/excerpt.ts'
import { isFunctionWord } from './full-text/function-words.ts'
import { stem } from './full-text/stem.ts'
import { tokenize } from './full-text/tokens.ts'
import type { Expression } from './queries.ts'
import type { Terms } from './terms.ts'
import type { KnownWord } from './vocabulary-queries.ts'

/** A word that was asked for, and what else it may stand for. */
export interface QueryWord {
  text: string
  isGram: boolean
  /** Words that begin with it, where somebody may still be typing. */
  longer: KnownWord[]
  /** Words that were meant, where nobody knows this one. */
  meant: KnownWord[]
}

/** Each one more is a list to intersect; nobody types so many. */
const WORDS_MAX = 32

/** The words that an article must have: those that hold the sentence together only when there are no others. */
export function readQuery(query: string, languages: readonly string[]): QueryWord[] {
  const tokens = new Map([...tokenize(query, false)].map(({ text, isGram }) => [text, isGram]))
  const words = [...tokens].map(([text, isGram]) => ({ text, isGram, longer: [], meant: [] }))
  const telling = words.filter(({ text }) => !languages.some((language) => isFunctionWord(text, language)))
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX)
}

type Group = (word: QueryWord, language: string) => string[]

/** How the words may be found: in any form, exactly, in the title, or exactly and among what a text is about. */
export class QueryExpressions {
  readonly all: Expression
  readonly exact: Expression
  readonly inTitle: Expression
  readonly telling: Expression

  constructor(words: readonly QueryWord[], languages: readonly string[], terms: Terms, scope: readonly string[]) {
    /** A language that has nothing for one of the words has no text with all of them. */
    const build = (...groups: Group[]): Expression =>
      languages
        .map((language) => [
          ...groups.flatMap((group) => words.map((word) => [...new Set(group(word, language))])),
          ...(scope.length > 0 ? [scope] : []),
        ])
        .filter((every) => every.every((any) => any.length > 0))
    const exact: Group = (word, language) => asked(word, language).map((text) => terms.exact(language, text))
    const stems: (term: (language: string, stemmed: string) => string) => Group = (term) => (word, language) =>
      [...asked(word, language), ...longer(word, language)].map((text) =>
        term(language, word.isGram ? text : stem(text, language)),
      )
    const any: Group = (word, language) =>
      word.isGram
        ? exact(word, language)
        : [
            ...asked(word, language).map((text) => terms.anyForm(language, stem(text, language))),
            ...longer(word, language).map((text) => terms.exact(language, text)),
          ]
    this.all = build(any)
    this.exact = build(exact)
    // A title may have another form of a longer word than the one that was found: nothing but what is among all counts.
    this.inTitle = build(
      stems((language, stemmed) => terms.inTitle(language, stemmed)),
      any,
    )
    this.telling = build(
      stems((language, stemmed) => terms.prominent(language, stemmed)),
      exact,
    )
  }
}

const ofLanguage = (words: readonly KnownWord[], wanted: string): string[] =>
  words.filter(({ language }) => language === wanted).map(({ word }) => word)
const asked = ({ text, meant }: QueryWord, language: string): string[] =>
  meant.length > 0 ? ofLanguage(meant, language) : [text]
const longer = (word: QueryWord, language: string): string[] => ofLanguage(word.longer, language)

/** How well a word of a text stands for one that was asked for. */
const FIT = { exact: 1, stem: 0.8, longer: 0.7, meant: 0.5 } as const

/** For texts of one language: which word of the query a word stands for, and how well. */
export class WordMatcher implements Matcher {
  readonly withSingles: boolean
  readonly #words: readonly QueryWord[]
  readonly #language: string
  readonly #known = new Map<string, { word: number; fit: number } | undefined>()
  /** No ending changes the first letter of a word: for most words of a text that settles it. */
  readonly #firstLetters: ReadonlySet<number>

  constructor(words: readonly QueryWord[], language: string) {
    this.#words = words
    this.#language = language
    this.withSingles = words.some(({ text, isGram }) => isGram && [...text].length === 1)
    this.#firstLetters = new Set(
      words.flatMap(({ text, meant }) => [text, ...meant.map(({ word }) => word)]).map((word) => word.charCodeAt(0)),
    )
  }

  match({ text }: { text: string }): number | undefined {
    return this.find(text)?.word
  }

  find(text: string): { word: number; fit: number } | undefined {
    if (!this.#firstLetters.has(text.charCodeAt(0))) return undefined
    if (this.#known.has(text)) return this.#known.get(text)
    const stemmed = stem(text, this.#language)
    let best: { word: number; fit: number } | undefined
    for (const [index, word] of this.#words.entries()) {
      const fit = this.#fit(word, text, stemmed)
      if (fit > (best?.fit ?? 0)) best = { word: index, fit }
    }
    this.#known.set(text, best)
    return best
  }

  #fit({ text: asked, isGram, longer, meant }: QueryWord, text: string, stemmed: string): number {
    if (text === asked) return FIT.exact
    if (isGram) return 0
    if (stem(asked, this.#language) === stemmed) return FIT.stem
    const has = (words: KnownWord[]) => words.some(({ language, word }) => language === this.#language && word === text)
    if (has(longer)) return FIT.longer
    const isMeant = meant.some(({ language, word }) => language === this.#language && stem(word, language) === stemmed)
    return isMeant ? FIT.meant : 0
  }
}

/** For texts of any language; what one text showed, the next of its language need not ask again. */
export function matchersOf(words: readonly QueryWord[]): (language: string) => WordMatcher {
  const matchers = new Map<string, WordMatcher>()
  return (language) => matchers.getOrInsertComputed(language, () => new WordMatcher(words, language))
}
