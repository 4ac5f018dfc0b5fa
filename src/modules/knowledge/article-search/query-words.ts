import { isFunctionWord, stem } from './full-text/languages/index.ts'
import { tokenize } from './full-text/tokens.ts'
import type { Expression } from './queries.ts'
import type { Terms } from './terms.ts'
import type { KnownWord } from './vocabulary-queries.ts'

export interface QueryWord {
  text: string
  isGram: boolean
  /** Longer words that begin with it, if it may be unfinished. */
  completions: KnownWord[]
  /** Similar words, if no text contains it. */
  corrections: KnownWord[]
}

/** Each word is one more list to intersect. Real queries are shorter. */
const WORDS_MAX = 32

/** Returns the words that an article must contain: all but function words, unless the query has no others. */
export function readQuery(query: string, languages: readonly string[]): QueryWord[] {
  const tokens = new Map([...tokenize(query, false)].map(({ text, isGram }) => [text, isGram]))
  const words = [...tokens].map(([text, isGram]) => ({ text, isGram, completions: [], corrections: [] }))
  const contentWords = words.filter(({ text }) => !languages.some((language) => isFunctionWord(text, language)))
  return (contentWords.length > 0 ? contentWords : words).slice(0, WORDS_MAX)
}

/** Returns the terms of which a text in this language must have at least one. */
type TermsOfWord = (word: QueryWord, language: string) => string[]

/** The index expressions that find the words of a query in different ways. */
export class QueryExpressions {
  /** In any form. */
  readonly all: Expression
  /** In exactly this form. */
  readonly exact: Expression
  /** In any form in the title. */
  readonly inTitle: Expression
  /** In exactly this form, and among the prominent words of the text. */
  readonly prominent: Expression

  constructor(words: readonly QueryWord[], languages: readonly string[], terms: Terms, scope: readonly string[]) {
    /** Omits languages without a term for one of the words: no text in them has all the words. */
    const build = (...alternatives: TermsOfWord[]): Expression =>
      languages
        .map((language) => [
          ...alternatives.flatMap((termsOf) => words.map((word) => [...new Set(termsOf(word, language))])),
          ...(scope.length > 0 ? [scope] : []),
        ])
        .filter((every) => every.every((any) => any.length > 0))
    const exact: TermsOfWord = (word, language) =>
      intendedTexts(word, language).map((text) => terms.exact(language, text))
    const stems: (toTerm: (language: string, stemmed: string) => string) => TermsOfWord =
      (toTerm) => (word, language) =>
        [...intendedTexts(word, language), ...completionTexts(word, language)].map((text) =>
          toTerm(language, word.isGram ? text : stem(text, language)),
        )
    const any: TermsOfWord = (word, language) =>
      word.isGram
        ? exact(word, language)
        : [
            ...intendedTexts(word, language).map((text) => terms.anyForm(language, stem(text, language))),
            ...completionTexts(word, language).map((text) => terms.exact(language, text)),
          ]
    this.all = build(any)
    this.exact = build(exact)
    // A title may have another form of a completion than the one found. `any` keeps only texts that `all` finds, too.
    this.inTitle = build(
      stems((language, stemmed) => terms.inTitle(language, stemmed)),
      any,
    )
    this.prominent = build(
      stems((language, stemmed) => terms.prominent(language, stemmed)),
      exact,
    )
  }
}

const textsIn = (language: string, words: readonly KnownWord[]): string[] =>
  words.filter((known) => known.language === language).map(({ word }) => word)

/** The corrections of a misspelt word, otherwise the word itself. */
const intendedTexts = ({ text, corrections }: QueryWord, language: string): string[] =>
  corrections.length > 0 ? textsIn(language, corrections) : [text]

const completionTexts = ({ completions }: QueryWord, language: string): string[] => textsIn(language, completions)
