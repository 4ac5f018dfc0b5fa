import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Whether searches use the synonyms that come with Waymark. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .alterTable('knowledge_bases')
    .addColumn('everyday_synonyms', types.boolean, (column) => column.notNull().defaultTo(sql.lit(true)))
    .execute()
}
