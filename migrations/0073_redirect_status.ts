import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The status with which scans of an organisation redirect. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .alterTable('organisations')
    .addColumn('redirect_status', types.integer, (column) => column.notNull().defaultTo(302))
    .execute()
}
