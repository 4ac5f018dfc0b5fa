import { OperatorError } from '../../../platform/errors/operator-error.ts'
import { parseCsv } from './csv.ts'

/** One link of an export. */
export interface SourceRecord {
  /** The line of a CSV file; in JSON, the position in the list. Both are counted from 1. */
  row: number
  /** By the name of the column or key, in lower case and without anything but letters and digits. */
  values: ReadonlyMap<string, unknown>
}

/** Lists are found under these keys: in the responses of APIs, which people save as files. */
const LIST_KEYS = ['links', 'data', 'result', 'shortUrls']

/** Reads a CSV file with a heading, or JSON. */
export function readRecords(text: string): SourceRecord[] {
  const content = text.replace(/^\uFEFF/, '')
  return /^\s*[[{]/.test(content) ? readJson(content) : readCsv(content)
}

function readCsv(content: string): SourceRecord[] {
  const [heading, ...rows] = parseCsv(content)
  if (heading === undefined) throw new OperatorError('The file is empty.')
  const names = heading.values.map(normaliseName)
  return rows.map(({ line, values }) => ({
    row: line,
    values: new Map(names.map((name, column) => [name, values[column] ?? ''])),
  }))
}

function readJson(content: string): SourceRecord[] {
  let document: unknown
  try {
    document = JSON.parse(content)
  } catch (error) {
    throw new OperatorError(`The file is not valid JSON: ${(error as Error).message}`)
  }
  return listIn(document).map((entry, n) => ({ row: n + 1, values: new Map(namedValues(entry)) }))
}

/** What is inside an object is named after both: `{ meta: { maxVisits: 9 } }` is `metamaxvisits`. */
const namedValues = (entry: object, prefix = ''): [string, unknown][] =>
  Object.entries(entry).flatMap(([name, value]): [string, unknown][] =>
    isRecord(value) && prefix === '' ? namedValues(value, name) : [[normaliseName(prefix + name), value]],
  )

/** A list of links, a response that contains one, or a list of such responses: the pages of a long list. */
function listIn(document: unknown): object[] {
  if (Array.isArray(document)) return document.flatMap((entry) => (hasList(entry) ? listIn(entry) : toObjects(entry)))
  if (!hasList(document)) throw new OperatorError(`The file has no list of links under ${LIST_KEYS.join(', ')}.`)
  const name = LIST_KEYS.find((key) => key in document) as string
  const list = document[name]
  // YOURLS numbers its links: `link_1`, `link_2`.
  return isRecord(list) && !hasList(list) ? Object.values(list).flatMap(toObjects) : listIn(list)
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const hasList = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) && LIST_KEYS.some((key) => typeof value[key] === 'object' && value[key] !== null)

const toObjects = (value: unknown): object[] => (isRecord(value) ? [value] : [])

const normaliseName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** What databases write into CSV files instead of nothing: phpMyAdmin, MySQL and PostgreSQL, and MySQL as a time. */
const NOTHING = /^(?:null|NULL|\\N|0000-00-00(?: 00:00:00)?)?$/

/** The first of these columns that the record has a value in. */
export function findValue({ values }: SourceRecord, names: readonly string[]): unknown {
  for (const name of names) {
    const value = values.get(name)
    if (value !== undefined && value !== null && !(typeof value === 'string' && NOTHING.test(value.trim())))
      return value
  }
  return undefined
}

export const textOf = (record: SourceRecord, names: readonly string[]): string | undefined => {
  const value = findValue(record, names)
  return value === undefined || typeof value === 'object' ? undefined : String(value).trim() || undefined
}

/** PostgreSQL writes `t`. */
export const isTrue = (record: SourceRecord, names: readonly string[]): boolean =>
  ['true', 't', '1', 'yes'].includes(textOf(record, names)?.toLowerCase() ?? '')
