import type { Passage } from '../retrieval/retrieve.ts'
import type { Marks } from './marks.ts'

/** Fewer words are in every article by chance. */
const WORDS_MIN = 3
const UNSPACED = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u
const UNSPACED_LENGTH_MIN = 8

/** Nothing may be missing from steps or from a table. */
const LIST_OR_TABLE = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|\|)/

/** A step or a row of a table has no source. Without it, the others could mislead. */
export class Unsupported extends Error {
  constructor() {
    super('the passages do not support the answer')
    this.name = 'Unsupported'
  }
}

/**
 * Decides which sentences of a model are shown: those with a mark that stays, those that repeat a passage word by word, and
 * what the organisation quotes in its prompt. A greeting is none of these, nor is "Yes": it can be as wrong as a number.
 */
export class Supported {
  readonly #marks: Marks
  readonly #passages: readonly { passage: Passage; words: string }[]
  readonly #quoted: string

  constructor(marks: Marks, passages: readonly Passage[], quoted: readonly string[]) {
    this.#marks = marks
    this.#passages = passages.map((passage) => {
      const { title, headings, plain } = passage
      return { passage, words: wordsOf([title, ...headings, plain].join('\n')) }
    })
    this.#quoted = quoted.map(wordsOf).join('|')
  }

  /** Returns a sentence with the marks that stay, or nothing but its line breaks. Throws `Unsupported`. */
  check(sentence: string): string {
    const before = this.#marks.kept
    const checked = this.#marks.check(sentence)
    if (this.#marks.kept > before || this.#isSupported(wordsOf(checked))) return checked
    if (LIST_OR_TABLE.test(sentence)) throw new Unsupported()
    return checked.replaceAll(/[^\n]/g, '')
  }

  #isSupported(words: string): boolean {
    if (words.trim() === '') return true
    if (this.#quoted.includes(words)) return true
    const isLong =
      words.split(' ').length - 2 >= WORDS_MIN || (UNSPACED.test(words) && words.length >= UNSPACED_LENGTH_MIN)
    const source = isLong ? this.#passages.find((given) => given.words.includes(words)) : undefined
    if (source !== undefined) this.#marks.cite(source.passage)
    return source !== undefined
  }
}

/** Each word with a space before and after it. */
const wordsOf = (text: string): string =>
  ` ${(
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')} `
