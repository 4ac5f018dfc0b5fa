import { CompiledQuery } from 'kysely'
import type { Engine, Tx } from '../types.ts'
import type { DumpColumn, DumpTable } from './catalogue.ts'
import type { Row } from './format.ts'

/** SQLite allows 32,766 parameters per statement, PostgreSQL 65,535. */
const PARAMETERS_MAX = 32_000
const ROWS_MAX = 1024
const BYTES_MAX = 4 * 1024 * 1024

/** Inserts the rows of one table, many per statement. */
export class TableLoader {
  readonly table: DumpTable
  readonly #tx: Tx
  readonly #engine: Engine
  readonly #columns: DumpColumn[]
  readonly #rowsMax: number
  readonly #statements = new Map<number, string>()
  #pending: Row[] = []
  #pendingBytes = 0
  rowsDone = 0

  /** `columns` are the columns of the table in the order of the values in the rows. */
  constructor(tx: Tx, engine: Engine, table: DumpTable, columns: DumpColumn[]) {
    this.#tx = tx
    this.#engine = engine
    this.table = table
    this.#columns = columns
    this.#rowsMax = Math.min(ROWS_MAX, largestPowerOfTwo(PARAMETERS_MAX / columns.length))
  }

  async add(row: Row, bytes: number): Promise<void> {
    this.#pending.push(row)
    this.#pendingBytes += bytes
    if (this.#pending.length >= this.#rowsMax || this.#pendingBytes >= BYTES_MAX) await this.flush()
  }

  /** Inserts batches of powers of two, so that only a few different statements are prepared. */
  async flush(): Promise<void> {
    const rows = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    for (let from = 0; from < rows.length; ) {
      const some = rows.slice(from, from + largestPowerOfTwo(rows.length - from))
      const values = some.flatMap((row) => this.#columns.map((column, index) => toParameter(column, row[index])))
      await this.#tx.executeQuery(CompiledQuery.raw(this.#statement(some.length), values))
      from += some.length
    }
    this.rowsDone += rows.length
  }

  #statement(rows: number): string {
    let statement = this.#statements.get(rows)
    if (statement === undefined) {
      let parameters = 0
      const placeholder = () => (this.#engine === 'sqlite' ? '?' : `$${++parameters}`)
      const tuple = () => `(${this.#columns.map(placeholder).join(', ')})`
      const names = this.#columns.map(({ name }) => `"${name}"`).join(', ')
      statement = `insert into "${this.table.name}" (${names}) values ${Array.from({ length: rows }, tuple).join(', ')}`
      this.#statements.set(rows, statement)
    }
    return statement
  }
}

/** A JSON column takes serialised text: the value `"a"`, not the text `a`. In a NOT NULL column null is a JSON null. */
function toParameter({ json, nullable }: DumpColumn, value: unknown): unknown {
  if (!json || (value === null && nullable)) return value
  return JSON.stringify(value)
}

const largestPowerOfTwo = (max: number): number => 2 ** Math.floor(Math.log2(max))
