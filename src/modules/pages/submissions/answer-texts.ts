import { searchText } from '../../../platform/db/index.ts'
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

/** An answer as one text, for people. */
export function toText(value: AnswerValue): string {
  if (value === null) return ''
  if (!Array.isArray(value)) return String(value)
  return value.map((part) => (typeof part === 'string' ? part : part.file_name)).join('; ')
}

/** What a search looks through. */
export const toSearchText = (data: SubmissionData, notes: string | null): string =>
  searchText(notes, ...inOrder(data).map(({ value }) => toText(value)))
    .slice(0, SEARCHED_LENGTH_MAX)
    .toWellFormed()

export const answersForMail = (data: SubmissionData): { label: string; value: string }[] =>
  inOrder(data)
    .map(({ type, label, value }) => ({ type, label: cut(label), value: cut(toText(value)) }))
    .filter(({ type, value }) => type !== 'form_hidden' && value !== '')
    .slice(0, MAILED_ANSWERS_MAX)
    .map(({ label, value }) => ({ label, value }))

const cut = (text: string): string =>
  text.length <= MAILED_LENGTH_MAX ? text : `${text.slice(0, MAILED_LENGTH_MAX).toWellFormed()}…`

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
