import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** What readers say was missing in an article. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .alterTable('question_groups')
    .addColumn('comments', types.json, (column) => column.notNull().defaultTo('[]'))
    .execute()
}
