import { type Kysely, sql } from 'kysely'
import type { Database, Db, Tables } from './types.ts'

/** Reads that all see the database of one moment, however long they take and whatever is written meanwhile. */
export function inSnapshot<T>(database: Database, work: (db: Db) => Promise<T>): Promise<T> {
  if (database.engine === 'sqlite') {
    // A whole Kysely underneath: its type only hides writing, and a transaction that reads is what is wanted.
    return (database.readLong as Kysely<Tables>).transaction().execute(work)
  }
  return database.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await liftTimeouts(tx)
      return work(tx)
    })
}

/** For the rest of a PostgreSQL transaction: the limits of a session are made for requests, not for maintenance. */
export async function liftTimeouts(tx: Db): Promise<void> {
  for (const setting of ['statement_timeout', 'idle_in_transaction_session_timeout']) {
    await sql.raw(`set local ${setting} = 0`).execute(tx)
  }
}
