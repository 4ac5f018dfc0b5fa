import { SqliteAdapter } from 'kysely'

/** For the few statements that cannot be written once for both engines. */
export const isSqlite = (db: { getExecutor(): { adapter: unknown } }): boolean =>
  db.getExecutor().adapter instanceof SqliteAdapter
