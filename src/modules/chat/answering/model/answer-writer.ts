import type { Language } from '../../../../platform/contract/languages.ts'
import { LlmError } from '../../../../platform/llm/index.ts'
import { findInline } from '../../../../platform/markdown/verbatim/find-verbatim.ts'
import { endsWithAbbreviation } from '../../../knowledge/passages/index.ts'
import type { Citation } from '../answer.ts'
import { readCodeBlock, type WrittenBlock, writeCodeBlock } from './code/block.ts'
import { shieldCode, unshieldCode } from './code/in-sentence.ts'
import { KnownCode } from './code/known-code.ts'
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
 * Turns what a model writes into what is shown, while it is written. Whole sentences and blocks of code are checked, and shown
 * if something supports them; what was shown is never changed.
 */
export class AnswerWriter {
  readonly #secrets: Secrets
  readonly #marks: Marks
  readonly #supported: Supported
  readonly #code: KnownCode
  readonly #language: Language
  readonly #onText: ((delta: string) => void) | undefined
  /** The length of everything that was read. */
  #length = 0
  /** What was read and is not shown yet. */
  #pending = ''
  /** Whether that begins a line, and may be a block of code. */
  #isLineStart = true
  #shown = ''
  /** Whether the model has written nothing so far. */
  #isEmpty = true

  constructor(prompt: Prompt, language: Language, onText?: (delta: string) => void) {
    this.#secrets = new Secrets(prompt.secrets, prompt.visible)
    this.#marks = new Marks(prompt.passages, language)
    this.#supported = new Supported(this.#marks, prompt.passages, prompt.secrets.flatMap(quotedIn))
    this.#code = new KnownCode(prompt.passages)
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

  /** Returns where the first sentence, line or block of code ends that may be shown. */
  #nextEnd(lettersAfter: number): number | undefined {
    const isWhole = lettersAfter === 0
    const block = this.#isLineStart ? readCodeBlock(this.#pending, isWhole) : undefined
    if (block === 'open') return undefined
    if (block !== undefined) {
      return lettersOf(this.#pending.slice(block.length)).length < lettersAfter ? undefined : block.length
    }
    const mayEndAt = this.#endsOutsideOfCode(isWhole)
    for (const { 0: found, index } of this.#pending.matchAll(PIECE_END)) {
      const end = index + found.length
      const after = this.#pending.slice(end)
      if (MAY_GO_ON.test(after) && !isWhole) return undefined
      const mayEnd = found.startsWith('\n') || mayEndAt(end)
      if (mayEnd === undefined) return undefined
      if (!mayEnd) continue
      if (found === '.' && this.#goesOn(this.#pending.slice(0, end), after)) continue
      return lettersOf(after).length < lettersAfter ? undefined : end
    }
    return undefined
  }

  /** Returns whether a sentence may end at a place of the first line, undefined if code may begin before it. */
  #endsOutsideOfCode(isWhole: boolean): (end: number) => boolean | undefined {
    const lineEnd = this.#pending.indexOf('\n')
    const line = lineEnd === -1 ? this.#pending : this.#pending.slice(0, lineEnd)
    const spans = findInline(line).filter(({ kind }) => kind === 'span')
    // What ends the code may not be written yet.
    const openFrom = isWhole || lineEnd !== -1 ? Infinity : line.indexOf('`', spans.at(-1)?.to ?? 0)
    return (end) => {
      if (spans.some(({ from, to }) => from < end && end < to)) return false
      return openFrom === -1 || openFrom >= end || undefined
    }
  }

  /** Whether a full stop is in the middle of a sentence, or after the number of an item. */
  #goesOn(before: string, after: string): boolean {
    if (/^\s*\p{Ll}/u.test(after) || /(?:^|\n)\s*\d{1,3}\.$/.test(before)) return true
    return endsWithAbbreviation(before) || (ORDINALS.has(this.#language) && /\s\d{1,2}\.$/.test(before))
  }

  #show(end: number): void {
    const written = this.#pending.slice(0, end).toWellFormed()
    const block = this.#isLineStart ? readCodeBlock(written, true) : undefined
    this.#pending = this.#pending.slice(end)
    this.#isLineStart = written.endsWith('\n')
    this.#isEmpty &&= lettersOf(written) === ''
    const safe = typeof block === 'object' ? this.#quote(block) : this.#check(written)
    const text = this.#shown === '' ? safe.trimStart() : safe
    if (text === '') return
    this.#shown += text
    this.#onText?.(text)
  }

  #check(sentence: string): string {
    const piece = this.#supported.check(shieldCode(sentence, this.#code))
    return unshieldCode(toHarmlessMarkdown(piece, this.#marks.urls))
  }

  /** A changed command is as wrong as a changed step, so a block is shown as a passage has it, or the answer is not used. */
  #quote(block: WrittenBlock): string {
    if (block.lines.every((line) => line.trim() === '')) return ''
    const found = this.#code.quote(block.lines)
    if (found === undefined) throw new Unsupported()
    this.#marks.cite(found.passage)
    return writeCodeBlock(block, found.lines)
  }
}
