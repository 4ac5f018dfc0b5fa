import { RE2JS } from 're2js'
import { z } from 'zod'
import { timestamp, toMs } from '../../../platform/clock/index.ts'
import type { AnsweredFile } from '../../assets/uploads/index.ts'
import { type BlockOf, type BlockType, LONG_TEXT_LENGTH_MAX, TEXT_LENGTH_MAX } from '../blocks/index.ts'
import type { AnswerValue, FieldProblem, ProblemCode, SubmittedFile } from './answers.ts'

type FieldType = Exclude<Extract<BlockType, `form_${string}`>, 'form_submit'>
export type FieldBlock = BlockOf<FieldType>

/** An answer that cannot be accepted. */
export class Invalid extends Error {
  readonly problem: Omit<FieldProblem, 'name'>

  constructor(problem: ProblemCode, limit?: string | number) {
    super(problem)
    this.problem = { problem, ...(limit !== undefined && { limit }) }
  }
}

const EMAIL_LENGTH_MAX = 254
const PHONE_LENGTH_MAX = 50
const NUMBER_LENGTH_MAX = 50
const HIDDEN_LENGTH_MAX = 500
const MEGABYTE = 1024 * 1024

const email = z.email()
/** Matches numbers as people write them: digits, and what separates them. */
const PHONE = /^\+?[\d\s().\-/]*(?:(?:ext\.?|x)\s?\d{1,8})?$/i
const PHONE_DIGITS = /\d/g
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
const DATE = /^\d{4}-\d{2}-\d{2}$/
/** What a browser sends for a box without a value. */
const CHECKED = new Set(['on', 'true', '1'])

/** Returns the value to store; null if the visitor left the field empty. Throws `Invalid`. */
export function checkField(
  block: FieldBlock,
  sent: readonly string[],
  files: ReadonlyMap<string, AnsweredFile>,
): AnswerValue {
  switch (block.type) {
    case 'form_text':
      return checkText(block.config, oneLine(sent), TEXT_LENGTH_MAX, block.config.pattern)
    case 'form_textarea':
      return checkText(block.config, lines(sent), LONG_TEXT_LENGTH_MAX, null)
    case 'form_email':
      return checkEmail(block.config.required, oneLine(sent))
    case 'form_phone':
      return checkPhone(block.config.required, oneLine(sent))
    case 'form_number':
      return checkNumber(block.config, oneLine(sent))
    case 'form_select':
    case 'form_radio':
      return checkOption(block.config, firstOf(sent))
    case 'form_switch':
      return checkSwitch(block.config.required, sent)
    case 'form_checkbox':
      return checkOptions(block.config, sent)
    case 'form_rating':
      return checkRating(block.config, oneLine(sent))
    case 'form_date':
      return checkDate(block.config, oneLine(sent))
    case 'form_hidden':
      return checkHidden(block.config.value, sent)
    case 'form_media':
      return checkFiles(block.config, sent, files)
  }
}

/** Databases and spreadsheets cannot store every control character, and nobody types them. */
export const toStorable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
  text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g, '')

const firstOf = (sent: readonly string[]): string => toStorable(sent[0] ?? '')

/** Trimmed: people paste spaces without seeing them. */
const oneLine = (sent: readonly string[]): string =>
  firstOf(sent)
    .replace(/[\r\n\t]+/g, ' ')
    .trim()

/** Browsers send CRLF and count it as one character. */
const lines = (sent: readonly string[]): string => firstOf(sent).replace(/\r\n?/g, '\n').trim()

function requireAnswer(isRequired: boolean): null {
  if (isRequired) throw new Invalid('required')
  return null
}

interface Lengths {
  required: boolean
  min: number | null
  max: number | null
}

function checkText(
  { required, min, max }: Lengths,
  text: string,
  lengthMax: number,
  pattern: string | null,
): string | null {
  if (text === '') return requireAnswer(required)
  const length = codePoints(text)
  const limit = Math.min(max ?? lengthMax, lengthMax)
  if (min !== null && length < min) throw new Invalid('too_short', min)
  if (length > limit) throw new Invalid('too_long', limit)
  if (pattern !== null && !patternOf(pattern).matches(text)) throw new Invalid('pattern')
  return text
}

/** Compiling takes longer than matching, and a page asks for the same patterns again and again. */
const patterns = new Map<string, RE2JS>()
const PATTERNS_MAX = 500

function patternOf(pattern: string): RE2JS {
  let compiled = patterns.get(pattern)
  if (compiled === undefined) {
    compiled = RE2JS.compile(pattern)
    if (patterns.size >= PATTERNS_MAX) patterns.clear()
    patterns.set(pattern, compiled)
  }
  return compiled
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function checkEmail(isRequired: boolean, text: string): string | null {
  if (text === '') return requireAnswer(isRequired)
  if (text.length > EMAIL_LENGTH_MAX) throw new Invalid('too_long', EMAIL_LENGTH_MAX)
  if (!email.safeParse(text).success) throw new Invalid('email')
  return text
}

function checkPhone(isRequired: boolean, text: string): string | null {
  if (text === '') return requireAnswer(isRequired)
  if (text.length > PHONE_LENGTH_MAX) throw new Invalid('too_long', PHONE_LENGTH_MAX)
  const digits = text.match(PHONE_DIGITS)?.length ?? 0
  if (!PHONE.test(text) || digits < 3) throw new Invalid('phone')
  return text
}

interface NumberConfig {
  required: boolean
  min: number | null
  max: number | null
  step: number | null
}

/** A comma is accepted as a decimal point, because many people type it. */
function checkNumber({ required, min, max, step }: NumberConfig, sent: string): number | null {
  if (sent === '') return requireAnswer(required)
  const text = sent.length > NUMBER_LENGTH_MAX ? '' : sent.replace(/^([+-]?\d*),(\d+)$/, '$1.$2')
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  if (!Number.isFinite(number)) throw new Invalid('number')
  if (min !== null && number < min) throw new Invalid('too_small', min)
  if (max !== null && number > max) throw new Invalid('too_large', max)
  if (step !== null && !isOnStep(number, min ?? 0, step)) throw new Invalid('step', step)
  // A negative zero would be stored as zero, too.
  return number === 0 ? 0 : number
}

/** Steps count from the minimum, as in browsers. 0.3 is three steps of 0.1, although floating point disagrees. */
function isOnStep(number: number, base: number, step: number): boolean {
  const steps = (number - base) / step
  const tolerance = Math.max(1, Math.abs(steps), Math.abs(number / step), Math.abs(base / step)) * 4 * Number.EPSILON
  return Math.abs(steps - Math.round(steps)) <= tolerance
}

interface OptionConfig {
  required: boolean
  options: readonly { value: string }[]
}

function checkOption({ required, options }: OptionConfig, value: string): string | null {
  if (value === '') return requireAnswer(required)
  if (!options.some((option) => option.value === value)) throw new Invalid('option')
  return value
}

function checkSwitch(isRequired: boolean, sent: readonly string[]): boolean {
  const isOn = sent.some((value) => CHECKED.has(value))
  if (isRequired && !isOn) throw new Invalid('required')
  return isOn
}

/** Returns each chosen option once, in the order of the options. */
function checkOptions(
  { required, options, min, max }: OptionConfig & { min: number | null; max: number | null },
  sent: readonly string[],
): string[] | null {
  const chosen = new Set(sent.map(toStorable).filter((value) => value !== ''))
  const values = options.map(({ value }) => value).filter((value) => chosen.delete(value))
  if (chosen.size > 0) throw new Invalid('option')
  if (values.length === 0) {
    requireAnswer(required)
    return []
  }
  if (min !== null && values.length < min) throw new Invalid('too_few', min)
  if (max !== null && values.length > max) throw new Invalid('too_many', max)
  return values
}

function checkRating({ required, max }: { required: boolean; max: number }, text: string): number | null {
  if (text === '') return requireAnswer(required)
  if (!/^\d{1,2}$/.test(text)) throw new Invalid('number')
  const rating = Number(text)
  if (rating < 1) throw new Invalid('too_small', 1)
  if (rating > max) throw new Invalid('too_large', max)
  return rating
}

interface DateConfig {
  required: boolean
  min: string | null
  max: string | null
}

function checkDate({ required, min, max }: DateConfig, text: string): string | null {
  if (text === '') return requireAnswer(required)
  if (!isDate(text)) throw new Invalid('date')
  if (min !== null && text < min) throw new Invalid('too_early', min)
  if (max !== null && text > max) throw new Invalid('too_late', max)
  return text
}

/** There is no 30 February. */
function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const ms = toMs(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && timestamp(ms).startsWith(text)
}

/** Cut off instead of refused: a visitor cannot see the field, and could not correct it. */
function checkHidden(initial: string, sent: readonly string[]): string {
  const text = sent.length === 0 ? toStorable(initial) : firstOf(sent)
  return codePoints(text) <= HIDDEN_LENGTH_MAX ? text : [...text].slice(0, HIDDEN_LENGTH_MAX).join('')
}

interface MediaConfig {
  required: boolean
  accept: readonly ('image' | 'video' | 'audio' | 'pdf')[]
  max_files: number
  max_size_mb: number
}

function checkFiles(
  { required, accept, max_files, max_size_mb }: MediaConfig,
  sent: readonly string[],
  files: ReadonlyMap<string, AnsweredFile>,
): SubmittedFile[] {
  const ids = [...new Set(sent.filter((id) => id !== ''))]
  if (ids.length === 0) {
    requireAnswer(required)
    return []
  }
  if (ids.length > max_files) throw new Invalid('too_many_files', max_files)
  return ids.map((id) => {
    const file = files.get(id)
    if (file === undefined) throw new Invalid('file_missing')
    if (!accept.some((group) => groupOf(file.media_type) === group)) throw new Invalid('file_type', accept.join(', '))
    if (file.size_bytes > max_size_mb * MEGABYTE) throw new Invalid('file_too_large', max_size_mb)
    const { file_name, media_type, size_bytes } = file
    return { file_id: id, file_name: toStorable(file_name), media_type, size_bytes }
  })
}

const groupOf = (mediaType: string): string | undefined =>
  mediaType === 'application/pdf' ? 'pdf' : mediaType.split('/')[0]
