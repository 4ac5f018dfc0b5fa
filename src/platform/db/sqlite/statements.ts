import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { ByteCache } from '../../bounded/byte-cache.ts'
import type { Tally } from '../statements/each-of.ts'

type Row = Record<string, unknown>

export interface StatementResult {
  rows: Row[]
  changes: number
}

interface Prepared {
  statement: StatementSync
  textLength: number
  /** Some declared types need a conversion between SQLite and JavaScript. */
  columns: { name: string; convert: ((value: unknown) => unknown) | undefined }[]
}

/**
 * Declared types that we convert. `jsontext` contains "text" to get TEXT affinity: SQLite would turn the JSON text `1`
 * in a `json` column into a number.
 */
export const BOOLEAN = 'boolean'
export const JSON_TEXT = 'jsontext'

const CONVERSIONS: Record<string, (value: unknown) => unknown> = {
  [BOOLEAN]: (value) => (value === null ? null : value === 1),
  [JSON_TEXT]: (value) => (value === null ? null : JSON.parse(value as string)),
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
    const prepared = this.#prepare(sql)
    const values = parameters.map(toSqlite)
    if (prepared.columns.length === 0) return { rows: [], changes: Number(prepared.statement.run(...values).changes) }
    const rows = (prepared.statement.all(...values) as unknown as unknown[][]).map((row) =>
      toRow(prepared.columns, row),
    )
    return { rows, changes: rows.length }
  }

  runEach(sql: string, each: readonly (readonly unknown[])[], tally?: Tally): StatementResult {
    const all: StatementResult = { rows: [], changes: 0 }
    const groups = new Map<string, { rows: number; latest: string }>()
    for (const parameters of each) {
      const { rows, changes } = this.run(sql, parameters)
      for (const row of rows) all.rows.push(row)
      all.changes += changes
      if (tally !== undefined && changes > 0) count(groups, tally, parameters)
    }
    // In the order of the keys, rows that are neighbours are changed together.
    for (const [key, { rows, latest }] of [...groups].sort(byKey)) this.run(tally?.statement ?? '', [key, rows, latest])
    return all
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql)
    if (prepared === undefined) {
      const statement = this.#connection.prepare(hideValues(sql))
      // Row objects made by SQLite are slow: reading and serialising a list of them costs half as much again.
      statement.setReturnArrays(true)
      const columns = statement
        .columns()
        .map(({ name, type }) => ({ name, convert: type === null ? undefined : CONVERSIONS[type] }))
      // The result contains the last row id. Those of a full-text index can exceed the safe integers.
      if (columns.length === 0) statement.setReadBigInts(true)
      prepared = { statement, columns, textLength: sql.length }
      this.#prepared.set(sql, prepared)
    }
    return prepared
  }
}

function count(
  groups: Map<string, { rows: number; latest: string }>,
  { by, latest: at, unless }: Tally,
  values: readonly unknown[],
): void {
  if (values[unless] === true) return
  const [key, latest] = [values[by] as string, values[at] as string]
  const group = groups.get(key)
  if (group === undefined) groups.set(key, { rows: 1, latest })
  else {
    group.rows++
    if (latest > group.latest) group.latest = latest
  }
}

const byKey = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1)

function toRow(columns: Prepared['columns'], values: unknown[]): Row {
  const row: Row = {}
  for (let i = 0; i < columns.length; i++) {
    const { name, convert } = columns[i] as Prepared['columns'][number]
    row[name] = convert === undefined ? values[i] : convert(values[i])
  }
  return row
}

function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) return JSON.stringify(value)
  return value as SQLInputValue
}
