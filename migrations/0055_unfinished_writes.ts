import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * What is left of a large transaction that is committed, and written in pieces so that others need not wait for all of it.
 * Each row is a piece: a statement, and the rows for which it has to run. A backup contains them, and the service that
 * starts next completes them.
 */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('unfinished_writes')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('statement', types.text, (column) => column.notNull())
    // A JSON array, as a text: PostgreSQL would change the order of keys in `jsonb`, and cannot store every character.
    .addColumn('each_row', types.text, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('unfinished_writes_org_idx').on('unfinished_writes').columns(['org_id', 'id']).execute()
}
