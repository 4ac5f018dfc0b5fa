import type { Language } from '../../../../platform/contract/languages.ts'
import { LlmError } from '../../../../platform/llm/index.ts'
import type { Citation } from '../answer.ts'
import { toHarmlessMarkdown } from './harmless-markdown.ts'
import { Marks } from './marks.ts'
import { NO_ANSWER, type Prompt } from './prompt.ts'
import { lettersOf, Secrets } from './secrets.ts'

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

/**
 * Turns what a model writes into what is shown, while it is written. Whole sentences are checked and shown; what was shown is
 * never changed.
 */
export class AnswerWriter {
  readonly #secrets: Secrets
  readonly #marks: Marks
  readonly #onText: ((delta: string) => void) | undefined
  /** The length of everything that was read. */
  #length = 0
  /** What was read and is not shown yet. */
  #pending = ''
  #shown = ''

  constructor(prompt: Prompt, language: Language, onText?: (delta: string) => void) {
    this.#secrets = new Secrets(prompt.secrets, prompt.visible)
    this.#marks = new Marks(prompt.passages, language)
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
    for (let end = this.#nextEnd(); end !== undefined; end = this.#nextEnd()) this.#show(end)
  }

  /** Shows the rest. */
  end(): { text: string; citations: Citation[] } {
    this.#show(this.#pending.length)
    const text = this.#shown.trim()
    if (text === '') throw new LlmError('malformed', 'the answer is empty')
    return { text, citations: this.#marks.citations }
  }

  /** Returns where the first piece ends that may be shown. */
  #nextEnd(): number | undefined {
    for (const { 0: found, index } of this.#pending.matchAll(PIECE_END)) {
      const end = index + found.length
      const after = this.#pending.slice(end)
      if (MAY_GO_ON.test(after)) return undefined
      // Surely no end of a sentence.
      if (/^\s*\p{Ll}/u.test(after) && found === '.') continue
      return lettersOf(after).length < LETTERS_AFTER ? undefined : end
    }
    return undefined
  }

  #show(end: number): void {
    const piece = this.#marks.check(this.#pending.slice(0, end).toWellFormed())
    this.#pending = this.#pending.slice(end)
    const safe = toHarmlessMarkdown(piece, this.#marks.urls)
    const text = this.#shown === '' ? safe.trimStart() : safe
    if (text === '') return
    this.#shown += text
    this.#onText?.(text)
  }
}
