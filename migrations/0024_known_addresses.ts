import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Stores from which addresses API keys and applications were used. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('known_addresses')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('credential_id', types.text, (column) => column.notNull())
    .addColumn('address', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('known_addresses_pkey', ['org_id', 'credential_id', 'address'])
    .execute()
  await db.schema.createIndex('known_addresses_created_idx').on('known_addresses').column('created_at').execute()
}
