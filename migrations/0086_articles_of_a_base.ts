import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The other orders of the articles of a knowledge base. The articles of all others were skipped. */
export const up: MigrationStep = async (db) => {
  for (const [name, column] of Object.entries({ updated: 'updated_at', title: 'title_key' }))
    await sql
      .raw(
        `create index articles_base_${name}_idx
         on articles (org_id, knowledge_base_id, ${column}, id, category_id, status, visibility, language)`,
      )
      .execute(db)
}
