import { openPostgres, type PostgresOptions } from './postgres/index.ts'
import { openSqlite, type SqliteOptions } from './sqlite/index.ts'
import type { Database } from './types.ts'

/** The URL of a PostgreSQL database, or the file of an embedded SQLite database. */
export type DatabaseLocation = { url: string } | { file: string }

export const openDatabase = (
  location: DatabaseLocation,
  options: SqliteOptions & PostgresOptions = {},
): Promise<Database> => ('url' in location ? openPostgres(location.url, options) : openSqlite(location.file, options))
