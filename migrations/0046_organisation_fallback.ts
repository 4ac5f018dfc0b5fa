import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Where visitors can go when a code shows them nothing. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('organisations').addColumn('fallback_url', types.text).execute()
}
