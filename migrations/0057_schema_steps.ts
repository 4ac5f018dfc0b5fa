import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * Who has applied each step from now on, and whether an older version can go on using the database (docs/versions.md). Steps before
 * this one have no row.
 */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('schema_steps')
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('build', types.text, (column) => column.notNull())
    .addColumn('is_breaking', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
}
