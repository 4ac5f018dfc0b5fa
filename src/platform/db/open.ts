import { openPostgres, type PostgresOptions } from './postgres/index.ts'
import { openSqlite, type SqliteOptions } from './sqlite/index.ts'
import type { Database } from './types.ts'

/** Where the data is: an address of PostgreSQL, or the file of the embedded SQLite. */
export type DatabaseLocation = { url: string } | { file: string }

export const openDatabase = (
  location: DatabaseLocation,
  options: SqliteOptions & PostgresOptions = {},
): Promise<Database> => ('url' in location ? openPostgres(location.url, options) : openSqlite(location.file, options))
