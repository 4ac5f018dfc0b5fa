import { batchesOf, insertRows, type Tables, type Tx } from '../../platform/db/index.ts'

/** Keeps statements short while other tests run. */
const STATEMENT_ROWS_MAX = 1000

/** Inserts many rows of any table. */
export async function insertTestRows<Table extends keyof Tables & string>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> {
  for (const some of batchesOf(rows, STATEMENT_ROWS_MAX)) await insertRows(tx, table, some)
}
