import { insertRows, type Tx } from '../../platform/db/index.ts'
import type { Tables } from '../../platform/db/types.ts'

/** Inserts complete rows of any table. Unlike in production, the first row names the columns. */
export const insertTestRows = <Table extends keyof Tables & string>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> => insertRows(tx, table, Object.keys(rows[0] ?? {}) as never, rows)
