import { type RawBuilder, sql } from 'kysely'
import { isSqlite } from '../is-sqlite.ts'

/**
 * A column that SQLite does not choose an index for. It has no statistics: an index for the rows of an organisation seems better
 * than 25 ids, and a filter better than the index that has the order.
 */
export const withoutIndex = (db: Parameters<typeof isSqlite>[0], column: string): RawBuilder<unknown> =>
  isSqlite(db) ? sql`+${sql.ref(column)}` : sql`${sql.ref(column)}`
