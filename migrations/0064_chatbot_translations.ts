import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** What chatbots say in other languages. Nobody knows the language of the texts that exist already. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('chatbots').addColumn('default_language', types.text).execute()
  await db.schema
    .alterTable('chatbots')
    .addColumn('translations', types.json, (column) => column.notNull().defaultTo('{}'))
    .execute()
}
