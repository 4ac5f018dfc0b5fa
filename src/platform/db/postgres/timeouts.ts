import { sql } from 'kysely'
import type { Db } from '../types.ts'

/** For the rest of a transaction: the limits of a session are made for requests, not for maintenance. */
export async function liftTimeouts(tx: Pick<Db, 'getExecutor'>): Promise<void> {
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
    await sql.raw(`set local ${setting} = 0`).execute(tx)
  }
}
