import { stem } from '../full-text/languages/index.ts'
import type { Terms } from '../terms.ts'
import type { Alternative, Expression } from './match-queries.ts'
import type { QueryWord, Variant, WordPart } from './query-words.ts'

type ToTerm = (language: string, part: WordPart, isAnyForm: boolean) => string

/** Builds index expressions that find words of a query in different ways. */
export class Expressions {
  readonly #languages: readonly string[]
  readonly #terms: Terms
  readonly #scope: string | undefined

  constructor(languages: readonly string[], terms: Terms, scope: string | undefined) {
    this.#languages = languages
    this.#terms = terms
    this.#scope = scope
  }

  /** Finds nothing. */
  none(): Expression {
    return { perLanguage: [], scope: undefined }
  }

  /** Texts with all the words, each in any form. */
  all(words: readonly QueryWord[]): Expression {
    return this.#build(words, this.#any)
  }

  /** … and all of them in the title. */
  allInTitle(words: readonly QueryWord[]): Expression {
    return this.#build(words, this.#inTitle)
  }

  /** … and all of them prominent. */
  allProminent(words: readonly QueryWord[]): Expression {
    return this.#build(words, this.#prominent)
  }

  /** Texts with any of the variants. All languages together: a single word has nothing to intersect but the scope. */
  any(variants: readonly Variant[]): Expression {
    return this.#together(variants, this.#any)
  }

  /** Texts with any of the variants in the title. */
  anyInTitle(variants: readonly Variant[]): Expression {
    return this.#together(variants, this.#inTitle)
  }

  #together(variants: readonly Variant[], toTerm: ToTerm): Expression {
    const alternatives = this.#languages.flatMap((language) => this.#alternatives(variants, language, toTerm))
    return { perLanguage: alternatives.length === 0 ? [] : [[alternatives]], scope: this.#scope }
  }

  /** Omits languages without a term for one of the words: no text in them has all the words. */
  #build(words: readonly QueryWord[], toTerm: ToTerm): Expression {
    const perLanguage = this.#languages
      .map((language) => words.map(({ variants }) => this.#alternatives(variants, language, toTerm)))
      .filter((groups) => groups.every((any) => any.length > 0))
    return { perLanguage, scope: this.#scope }
  }

  #alternatives(variants: readonly Variant[], language: string, toTerm: ToTerm): Alternative[] {
    const single = new Set<string>()
    const several: string[][] = []
    for (const { language: only, parts, isAnyForm } of variants) {
      if (only !== undefined && only !== language) continue
      const terms = parts.map((part) => toTerm(language, part, isAnyForm))
      if (terms.length === 1) single.add(terms[0] as string)
      else several.push(terms)
    }
    return [...single, ...several]
  }

  readonly #any: ToTerm = (language, { text, isGram }, isAnyForm) =>
    isGram || !isAnyForm ? this.#terms.exact(language, text) : this.#terms.anyForm(language, stem(text, language))
  // A title may have another form of a completion than the one found.
  readonly #inTitle: ToTerm = (language, { text, isGram }) =>
    this.#terms.inTitle(language, isGram ? text : stem(text, language))
  readonly #prominent: ToTerm = (language, { text, isGram }) =>
    this.#terms.prominent(language, isGram ? text : stem(text, language))
}
