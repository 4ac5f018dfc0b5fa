import { sql } from 'kysely'
import type { Db } from '../types.ts'

/** The connection reads this, too: it then waits for as long as the server responds at all. */
export const WITHOUT_STATEMENT_TIMEOUT = 'set local statement_timeout = 0'

/** Disables the timeouts for the rest of a transaction. They are meant for requests, not for maintenance. */
export async function disableTimeouts(tx: Pick<Db, 'getExecutor'>): Promise<void> {
  for (const statement of [WITHOUT_STATEMENT_TIMEOUT, 'set local idle_in_transaction_session_timeout = 0']) {
    await sql.raw(statement).execute(tx)
  }
}
