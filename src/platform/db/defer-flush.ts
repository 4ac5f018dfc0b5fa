import { sql } from 'kysely'
import { isSqlite } from './is-sqlite.ts'
import { runWithoutResult } from './statements/run-without-result.ts'
import type { Tx } from './types.ts'

/**
 * The commit of this transaction does not wait until it is on disk, so that it delays no commit that does. A power cut
 * can undo the transaction as if it had not run, so use it only for data that is then made again and that nobody has seen.
 * Does nothing on SQLite, where this is a setting of the whole connection.
 */
export async function deferFlush(tx: Tx): Promise<void> {
  if (!isSqlite(tx)) await runWithoutResult(tx, sql`set local synchronous_commit = off`)
}
