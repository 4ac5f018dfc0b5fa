import { sql } from 'kysely'
import { ConstraintViolation } from '../failures.ts'
import { liftTimeouts } from '../postgres/timeouts.ts'
import type { Database, Tx } from '../types.ts'

/**
 * One transaction whose foreign keys are checked when its work is done, not row by row: a row may refer to
 * one that comes after it (a category to its parent), and checking all at once is quicker. When one does
 * not hold, nothing of the work stays.
 */
export const withForeignKeysLast = <T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> =>
  database.engine === 'sqlite' ? onSqlite(database, work) : onPostgres(database, work)

async function onSqlite<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  // Outside the transaction: within one the setting would be ignored.
  await sql`pragma foreign_keys = off`.execute(database.kysely)
  try {
    return await database.write(async (tx) => {
      const result = await work(tx)
      const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(tx)
      const [broken] = rows
      if (broken !== undefined) {
        throw new ConstraintViolation('foreign_key', `${broken.table} → ${broken.parent}`, undefined)
      }
      return result
    })
  } finally {
    await sql`pragma foreign_keys = on`.execute(database.kysely)
  }
}

/** Dropped and added again, which is what `pg_dump` does; a role that is no superuser cannot suspend them. */
function onPostgres<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.write(async (tx) => {
    await liftTimeouts(tx)
    const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
      select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
      order by oid`.execute(tx)
    for (const { table, name } of keys) await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx)
    const result = await work(tx)
    for (const { table, name, definition } of keys) {
      await sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(tx)
    }
    return result
  })
}
