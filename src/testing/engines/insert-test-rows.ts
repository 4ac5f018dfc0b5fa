import { insertRows, type Tx } from '../../platform/db/index.ts'
import type { Tables } from '../../platform/db/types.ts'

/** Keeps statements short while other tests run. */
const STATEMENT_ROWS_MAX = 1000

/** Inserts complete rows of any table. Unlike in production, the first row names the columns. */
export async function insertTestRows<Table extends keyof Tables & string>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as never
  for (let from = 0; from < rows.length; from += STATEMENT_ROWS_MAX) {
    await insertRows(tx, table, columns, rows.slice(from, from + STATEMENT_ROWS_MAX))
  }
}
