import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * Forgets which texts with blocks of code are in the index, so that they are indexed again, without events: their passages may end
 * within a block.
 */
export const up: MigrationStep = async (db) => {
  const withCode = sql`select article_id from article_texts where content like '%\`\`\`%' or content like '%~~~%'`
  await sql`update article_search_texts set digest = '' where article_id in (${withCode})`.execute(db)
  await sql`update articles set indexing_due_at = '1970-01-01T00:00:00.000+00:00'
    where status = 'published' and id in (${withCode})`.execute(db)
}
