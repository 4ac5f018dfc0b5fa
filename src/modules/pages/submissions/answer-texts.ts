import { searchText } from '../../../platform/db/index.ts'
import type { BlockType } from '../blocks/index.ts'
import type { AnswerValue, SubmissionData, SubmittedAnswer } from '../form/index.ts'

/** A longer text is found by its beginning only. */
const SEARCHED_LENGTH_MAX = 20_000
const MAILED_ANSWERS_MAX = 5
const MAILED_LENGTH_MAX = 300
const METADATA_ENTRIES_MAX = 30
const METADATA_KEY_LENGTH_MAX = 64
const METADATA_VALUE_LENGTH_MAX = 500

const inOrder = (data: SubmissionData): SubmittedAnswer[] =>
  Object.values(data).sort((one, other) => one.order - other.order)

/** An answer as one text. */
export function toText(value: AnswerValue): string {
  if (value === null) return ''
  if (!Array.isArray(value)) return String(value)
  return value.map((part) => (typeof part === 'string' ? part : part.file_name)).join('; ')
}

/** The same for people, who have read the labels of a choice and not its values. */
const toWords = ({ value, value_label }: SubmittedAnswer): string => toText(value_label ?? value)

/** What a search looks through. */
export const toSearchText = (data: SubmissionData, notes: string | null): string =>
  searchText(notes, ...inOrder(data).flatMap(({ value, value_label }) => [toText(value), toText(value_label ?? null)]))
    .slice(0, SEARCHED_LENGTH_MAX)
    .toWellFormed()

interface AnswerInWords {
  label: string
  value: string
}

/** What was answered, without the fields of these types. */
const answersInWords = (data: SubmissionData, withheld: ReadonlySet<BlockType>): AnswerInWords[] =>
  inOrder(data)
    .filter(({ type }) => !withheld.has(type))
    .map((answer) => ({ label: answer.label, value: toWords(answer) }))
    .filter(({ value }) => value !== '')

const HIDDEN = new Set<BlockType>(['form_hidden'])

export const answersForMail = (data: SubmissionData): AnswerInWords[] =>
  answersInWords(data, HIDDEN)
    .slice(0, MAILED_ANSWERS_MAX)
    .map(({ label, value }) => ({ label: cut(label, MAILED_LENGTH_MAX), value: cut(value, MAILED_LENGTH_MAX) }))

/** A receipt may be passed on to others, who need not know how to reach its visitor. */
const WITHHELD = new Set<BlockType>(['form_hidden', 'form_email', 'form_phone'])

export const answersForReceipt = (data: SubmissionData): AnswerInWords[] => answersInWords(data, WITHHELD)

/** The fields whose answer can say what a submission is about. */
const SUMMARISING = new Set<BlockType>(['form_select', 'form_radio', 'form_checkbox', 'form_text', 'form_textarea'])
const SUMMARY_LENGTH_MAX = 80

/** The first answer that says something, for the subject of a mail. An empty text if there is none. */
export function summaryOf(data: SubmissionData): string {
  const first = inOrder(data).find((answer) => SUMMARISING.has(answer.type) && toWords(answer) !== '')
  return first === undefined ? '' : cut(toWords(first), SUMMARY_LENGTH_MAX)
}

/** Where the visitor can be reached: the first email address of the form. */
export function addressIn(data: SubmissionData): string | undefined {
  const address = inOrder(data).find(({ type, value }) => type === 'form_email' && value !== null)
  return address?.value as string | undefined
}

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax).toWellFormed()}…`

/** Visitors choose these texts, so they are few and short. */
export const toMetadata = (sent: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sent)
      .slice(0, METADATA_ENTRIES_MAX)
      .map(([key, value]) => [storable(key, METADATA_KEY_LENGTH_MAX), storable(value, METADATA_VALUE_LENGTH_MAX)]),
  )

const storable = (text: string, lengthMax: number): string =>
  text
    .replace(/\p{Cc}/gu, '')
    .slice(0, lengthMax)
    .toWellFormed()
