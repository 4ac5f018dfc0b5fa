import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ByteCache } from '../../bounded/byte-cache.ts'
import type { Tally } from '../statements/each-of.ts'

type Row = Record<string, unknown>

export interface StatementResult {
  rows: Row[]
  changes: number
}

/**
 * A result as SQLite has it. Values without names, and JSON as text, take half the time to send to another thread and to receive
 * there.
 */
export interface RawResult {
  columns: readonly Column[]
  values: unknown[][]
  changes: number
}

interface Column {
  name: string
  /** Set if values need a conversion between SQLite and JavaScript. */
  conversion: typeof BOOLEAN | typeof JSON_TEXT | undefined
}

interface Prepared {
  statement: StatementSync
  textLength: number
  columns: Column[]
}

/**
 * Declared types that we convert. `jsontext` contains "text" to get TEXT affinity: SQLite would turn the JSON text `1`
 * in a `json` column into a number.
 */
export const BOOLEAN = 'boolean'
export const JSON_TEXT = 'jsontext'

const CONVERSIONS = {
  [BOOLEAN]: (value: unknown) => (value === null ? null : value === 1),
  [JSON_TEXT]: (value: unknown) => (value === null ? null : JSON.parse(value as string)),
}

/** Room for about a thousand statements. Texts vary, because a list of ids has a parameter for each of them. */
const STATEMENTS_BYTES_MAX = 8 * 1024 * 1024

/** A rough estimate of the memory that SQLite needs for a prepared statement. */
const sizeOf = ({ textLength }: Prepared): number => 4_000 + 8 * textLength

/**
 * SQLite makes a plan for the value of a plain `limit ?` or `like ?`: it would prepare the statement again for every value
 * that is bound, which takes longer than reading a few rows. It knows nothing about the value of an expression.
 */
const hideValues = (sql: string): string =>
  sql.replace(/\blimit\s+\?/gi, 'limit 0 + ?').replace(/\blike\s+\?/gi, "like '' || ?")

/** Runs SQL on one connection. Prepares each text once, because preparing is the largest part of a point read. */
export class Statements {
  readonly #connection: DatabaseSync
  readonly #prepared = new ByteCache(STATEMENTS_BYTES_MAX, sizeOf)

  constructor(connection: DatabaseSync) {
    this.#connection = connection
  }

  run(sql: string, parameters: readonly unknown[]): StatementResult {
    return toResult(this.runRaw(sql, parameters))
  }

  runRaw(sql: string, parameters: readonly unknown[]): RawResult {
    const { statement, columns } = this.#prepare(sql)
    const sent = parameters.map(toSqlite)
    if (columns.length === 0) return { columns, values: [], changes: Number(statement.run(...sent).changes) }
    const values = statement.all(...sent) as unknown as unknown[][]
    return { columns, values, changes: values.length }
  }

  runEach(sql: string, each: readonly (readonly unknown[])[], tally?: Tally): RawResult {
    const all: RawResult = { columns: [], values: [], changes: 0 }
    const groups = new Map<string, Group>()
    for (const parameters of each) {
      const { columns, values, changes } = this.runRaw(sql, parameters)
      all.columns = columns
      for (const row of values) all.values.push(row)
      all.changes += changes
      if (tally !== undefined && changes > 0) count(groups, tally, parameters)
    }
    // In the order of the keys, rows that are neighbours are changed together.
    for (const [key, { rows, latest }] of [...groups].sort(byKey))
      this.runRaw(tally?.statement ?? '', [key, rows, latest])
    return all
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql)
    if (prepared === undefined) {
      const statement = this.#connection.prepare(hideValues(sql))
      // Row objects made by SQLite are slow: reading and serialising a list of them costs half as much again.
      statement.setReturnArrays(true)
      const columns = statement.columns().map(({ name, type }): Column => {
        return { name, conversion: type === BOOLEAN || type === JSON_TEXT ? type : undefined }
      })
      // The result contains the last row id. Those of a full-text index can exceed the safe integers.
      if (columns.length === 0) statement.setReadBigInts(true)
      prepared = { statement, columns, textLength: sql.length }
      this.#prepared.set(sql, prepared)
    }
    return prepared
  }
}

/** The rows that a tally counts together. */
interface Group {
  rows: number
  latest: string
}

function count(groups: Map<string, Group>, { by, latest: at, unless }: Tally, values: readonly unknown[]): void {
  if (values[unless] === true) return
  const latest = values[at] as string
  let before: unknown
  for (const place of by) {
    const key = values[place] as string | null
    if (key !== null && key !== before) countOne(groups, key, latest)
    before = key
  }
}

function countOne(groups: Map<string, Group>, key: string, latest: string): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, { rows: 1, latest })
  else {
    group.rows++
    if (latest > group.latest) group.latest = latest
  }
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

export const toResult = ({ columns, values, changes }: RawResult): StatementResult => ({
  rows: values.map((row) => toRow(columns, row)),
  changes,
})

function toRow(columns: readonly Column[], values: unknown[]): Row {
  const row: Row = {}
  for (let i = 0; i < columns.length; i++) {
    const { name, conversion } = columns[i] as Column
    row[name] = conversion === undefined ? values[i] : CONVERSIONS[conversion](values[i])
  }
  return row
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) return JSON.stringify(value)
  return value as SQLInputValue
}
