import { sql } from 'kysely'
import { ConstraintViolation } from '../failures.ts'
import { disableTimeouts } from '../postgres/timeouts.ts'
import type { Database, Tx } from '../types.ts'

/**
 * Runs a transaction that checks its foreign keys after `load` instead of row by row: a row may refer to a later one, and
 * checking all at once is faster. If one is violated, everything is rolled back. `finish` runs in the same transaction, with the
 * foreign keys in place.
 */
export const withDeferredForeignKeys = <L, T>(
  database: Database,
  load: (tx: Tx) => Promise<L>,
  finish: (tx: Tx, loaded: L) => Promise<T>,
): Promise<T> => (database.engine === 'sqlite' ? onSqlite : onPostgres)(database, load, finish)

type OnEngine = <L, T>(
  database: Database,
  load: (tx: Tx) => Promise<L>,
  finish: (tx: Tx, loaded: L) => Promise<T>,
) => Promise<T>

const onSqlite: OnEngine = async (database, load, finish) => {
  // Outside the transaction, because SQLite ignores the setting inside one.
  await sql`pragma foreign_keys = off`.execute(database.kysely)
  try {
    return await database.write(async (tx) => {
      const result = await finish(tx, await load(tx))
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

/** Drops the foreign keys and adds them again, as `pg_dump` does: only a superuser can suspend them. */
const onPostgres: OnEngine = (database, load, finish) =>
  database.write(async (tx) => {
    await disableTimeouts(tx)
    const { rows: keys } = await sql<{ table: string; name: string; definition: string }>`
      select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
      order by oid`.execute(tx)
    for (const { table, name } of keys) await sql.raw(`alter table ${table} drop constraint ${name}`).execute(tx)
    const loaded = await load(tx)
    for (const { table, name, definition } of keys) {
      await sql.raw(`alter table ${table} add constraint ${name} ${definition}`).execute(tx)
    }
    return finish(tx, loaded)
  })
