import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** When the team last got a mail about a visitor who waits for a person. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('conversations').addColumn('team_mailed_at', types.timestamp).execute()
}
