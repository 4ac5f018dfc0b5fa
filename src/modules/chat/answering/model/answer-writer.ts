import type { Language } from '../../../../platform/contract/languages.ts'
import { LlmError } from '../../../../platform/llm/index.ts'
import { endsWithAbbreviation } from '../../../knowledge/passages/index.ts'
import type { Citation } from '../answer.ts'
import { toHarmlessMarkdown } from './harmless-markdown.ts'
import { Marks } from './marks.ts'
import { NO_ANSWER, type Prompt } from './prompt.ts'
import { lettersOf, quotedIn, Secrets } from './secrets.ts'
import { Supported, Unsupported } from './supported.ts'

/** The answer contains something that must not get out. */
export class SecretFound extends Error {
  constructor() {
    super('the answer repeats its instructions')
    this.name = 'SecretFound'
  }
}

/** The model says that the passages do not answer the question. */
export class NotInPassages extends Error {
  constructor() {
    super('the passages do not answer the question')
    this.name = 'NotInPassages'
  }
}

/** Some pages of text. */
const LENGTH_MAX = 16_000
/**
 * A piece is shown when this many letters after it are known. A secret is recognised after at most as many, so nothing of it
 * is shown.
 */
const LETTERS_AFTER = 24
/** The end of a line, or of a sentence with the marks after it. */
const PIECE_END = /\n|(?:[.!?…]["'»”’)*_]*(?=\s)|[。！？][」』）]*)(?:[^\S\n]*(?:\[\d[\d,;\s]*\]|【[^【】\n]*】))*/gu
/** Marks may follow, or the rest of one. */
const MAY_GO_ON = /^[^\S\n]*(?:[[【][^\]】\n]*)?$/u

/** Languages in which "3." is usually not the end of a sentence, but a date or a rank. */
const ORDINALS: ReadonlySet<Language> = new Set(['de', 'da', 'no', 'fi', 'pl'])

/**
 * Turns what a model writes into what is shown, while it is written. Whole sentences are checked, and shown if something
 * supports them; what was shown is never changed.
 */
export class AnswerWriter {
  readonly #secrets: Secrets
  readonly #marks: Marks
  readonly #supported: Supported
  readonly #language: Language
  readonly #onText: ((delta: string) => void) | undefined
  /** The length of everything that was read. */
  #length = 0
  /** What was read and is not shown yet. */
  #pending = ''
  #shown = ''
  /** Whether the model has written nothing so far. */
  #isEmpty = true

  constructor(prompt: Prompt, language: Language, onText?: (delta: string) => void) {
    this.#secrets = new Secrets(prompt.secrets, prompt.visible)
    this.#marks = new Marks(prompt.passages, language)
    this.#supported = new Supported(this.#marks, prompt.passages, prompt.secrets.flatMap(quotedIn))
    this.#language = language
    this.#onText = onText
  }

  get hasShown(): boolean {
    return this.#shown !== ''
  }

  write(text: string): void {
    this.#length += text.length
    if (this.#length > LENGTH_MAX) throw new LlmError('too_large', `the answer has more than ${LENGTH_MAX} characters`)
    this.#pending += text
    if (this.#secrets.isIn(text)) throw new SecretFound()
    if (this.#pending.includes(NO_ANSWER)) throw new NotInPassages()
    this.#showSentences(LETTERS_AFTER)
  }

  /** Shows the rest. Every answer has a source: otherwise it throws `Unsupported`. */
  end(): { text: string; citations: Citation[] } {
    if (this.#isEmpty && lettersOf(this.#pending) === '') throw new LlmError('malformed', 'the answer is empty')
    this.#showSentences(0)
    this.#show(this.#pending.length)
    const { citations } = this.#marks
    if (citations.length === 0) throw new Unsupported()
    return { text: this.#shown.trim(), citations }
  }

  /** Shows what ends before this many further letters. */
  #showSentences(lettersAfter: number): void {
    for (let end = this.#nextEnd(lettersAfter); end !== undefined; end = this.#nextEnd(lettersAfter)) this.#show(end)
  }

  /** Returns where the first sentence or line ends that may be shown. */
  #nextEnd(lettersAfter: number): number | undefined {
    for (const { 0: found, index } of this.#pending.matchAll(PIECE_END)) {
      const end = index + found.length
      const after = this.#pending.slice(end)
      if (MAY_GO_ON.test(after) && lettersAfter > 0) return undefined
      if (found === '.' && this.#goesOn(this.#pending.slice(0, end), after)) continue
      return lettersOf(after).length < lettersAfter ? undefined : end
    }
    return undefined
  }

  /** Whether a full stop is in the middle of a sentence, or after the number of an item. */
  #goesOn(before: string, after: string): boolean {
    if (/^\s*\p{Ll}/u.test(after) || /(?:^|\n)\s*\d{1,3}\.$/.test(before)) return true
    return endsWithAbbreviation(before) || (ORDINALS.has(this.#language) && /\s\d{1,2}\.$/.test(before))
  }

  #show(end: number): void {
    const sentence = this.#pending.slice(0, end).toWellFormed()
    this.#pending = this.#pending.slice(end)
    this.#isEmpty &&= lettersOf(sentence) === ''
    const piece = this.#supported.check(sentence)
    const safe = toHarmlessMarkdown(piece, this.#marks.urls)
    const text = this.#shown === '' ? safe.trimStart() : safe
    if (text === '') return
    this.#shown += text
    this.#onText?.(text)
  }
}
