import { type RawBuilder, sql } from 'kysely'
import { isSqlite } from '../is-sqlite.ts'
import type { Tx } from '../types.ts'

const CLAUSES = { wait: sql`for update`, 'skip locked': sql`for update skip locked` }

/**
 * The end of a raw select that locks its rows until the transaction ends. By default, it waits for rows that others have
 * locked. SQLite needs no lock: it has a single writer.
 */
export const forUpdate = (tx: Tx, locked: keyof typeof CLAUSES = 'wait'): RawBuilder<unknown> =>
  isSqlite(tx) ? sql`` : CLAUSES[locked]
