import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** A search reads all matches at once, so it needs no function that counts them. */
export const up: MigrationStep = async (db, _types, engine) => {
  if (engine === 'postgres') await sql`drop function article_search_count`.execute(db)
}
