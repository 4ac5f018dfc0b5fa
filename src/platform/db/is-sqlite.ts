import { SqliteAdapter } from 'kysely'

/** A few statements cannot be written once for both engines, and ask this. */
export const isSqlite = (db: { getExecutor(): { adapter: unknown } }): boolean =>
  db.getExecutor().adapter instanceof SqliteAdapter
