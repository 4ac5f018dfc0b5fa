import { sql } from 'kysely'
import type { Db } from '../types.ts'

/** Disables the timeouts for the rest of a transaction. They are meant for requests, not for maintenance. */
export async function disableTimeouts(tx: Pick<Db, 'getExecutor'>): Promise<void> {
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
    await sql.raw(`set local ${setting} = 0`).execute(tx)
  }
}
