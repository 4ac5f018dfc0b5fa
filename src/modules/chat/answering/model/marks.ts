import type { Language } from '../../../../platform/contract/languages.ts'
import { interfaceLanguageFor } from '../../../../platform/text/interface-language.ts'
import { toSentences } from '../../../knowledge/passages/index.ts'
import type { Citation } from '../answer.ts'
import { toCitation } from '../embedded.ts'
import type { Passage } from '../retrieval/retrieve.ts'
import { informativeTerms } from './informative-terms.ts'

/** `[1]`, `[1, 2]`, `[1][2]`, and the brackets that some models prefer, with the spaces before them. */
const MARKS = /\s{0,4}(?:(?:\[\d{1,4}(?:\s{0,2}[,;]\s{0,2}\d{1,4})*\]|【\d{1,4}[^【】\n]{0,20}】)\s*)+/gu
const NUMBER = /(?<=[[【,;\s])\d{1,4}/g

/**
 * Checks the marks of an answer against the passages that the model was given. A mark stays if its passage exists and says
 * something about the sentence. Marks that stay are numbered anew, by article, in the order of their appearance.
 */
export class Marks {
  readonly #passages: readonly Passage[]
  readonly #language: Language
  readonly #cited: Passage[] = []
  readonly #terms = new Map<Passage, Set<string>>()
  #kept = 0

  constructor(passages: readonly Passage[], language: Language) {
    this.#passages = passages
    this.#language = language
  }

  /** Citations are in the order of their numbers. */
  get citations(): Citation[] {
    return this.#cited.map(toCitation)
  }

  /** How many marks stayed so far. */
  get kept(): number {
    return this.#kept
  }

  /** The addresses of the articles that are cited so far. */
  get urls(): Set<string> {
    return new Set(this.#cited.map(({ url }) => url).filter((url) => url !== ''))
  }

  /** Returns a piece of the answer with the marks that stay. A piece is one sentence, a line, or several sentences. */
  check(piece: string): string {
    let checked = ''
    let at = 0
    for (const { 0: marks, index } of piece.matchAll(MARKS)) {
      const before = piece.slice(at, index)
      const numbers = this.#numbersOf(marks, claimIn(before.trim() === '' ? checked : before))
      const space = /\s+$/.exec(marks)?.[0] ?? ''
      checked += before + numbers.map((number) => ` [${number}]`).join('') + space
      at = index + marks.length
    }
    return checked + piece.slice(at)
  }

  #numbersOf(marks: string, claim: string): number[] {
    const terms = [...informativeTerms(claim, this.#language)]
    const numbers = new Set<number>()
    for (const number of new Set([...marks.matchAll(NUMBER)].map(([digits]) => Number(digits)))) {
      const passage = this.#passages[number - 1]
      if (passage !== undefined && this.#isAbout(terms, passage)) numbers.add(this.cite(passage))
    }
    this.#kept += numbers.size
    return [...numbers]
  }

  /** Returns the number of the passage's article. */
  cite(passage: Passage): number {
    const index = this.#cited.findIndex(({ articleId }) => articleId === passage.articleId)
    return index >= 0 ? index + 1 : this.#cited.push(passage)
  }

  /** A translation has few words in common with its passage. There, only numbers can be compared. */
  #isAbout(terms: readonly string[], passage: Passage): boolean {
    const known = this.#termsOf(passage)
    if (interfaceLanguageFor(passage.language) === this.#language) return terms.some((term) => known.has(term))
    const numbers = terms.filter((term) => /^\d/.test(term))
    return numbers.length > 0 ? numbers.some((number) => known.has(number)) : terms.length > 0
  }

  #termsOf(passage: Passage): Set<string> {
    const known = this.#terms.get(passage)
    if (known !== undefined) return known
    const { title, headings, plain, language } = passage
    const terms = informativeTerms([title, ...headings, plain].join('\n'), language)
    this.#terms.set(passage, terms)
    return terms
  }
}

/** The sentence that a mark at the end of this text belongs to. */
function claimIn(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? ''
  return toSentences(line).at(-1) ?? ''
}
