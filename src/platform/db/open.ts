import type { PostgresOptions } from './postgres/index.ts'
import { openSqlite, type SqliteOptions } from './sqlite/index.ts'
import type { Database } from './types.ts'

/** The URL of a PostgreSQL database, or the file of an embedded SQLite database. */
export type DatabaseLocation = { url: string } | { file: string }

export async function openDatabase(
  location: DatabaseLocation,
  options: SqliteOptions & PostgresOptions = {},
): Promise<Database> {
  if ('file' in location) return openSqlite(location.file, options)
  // Imported here, so that the embedded database does without the driver.
  const { openPostgres } = await import('./postgres/index.ts')
  return openPostgres(location.url, options)
}
