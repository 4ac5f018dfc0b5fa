import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('custom_domains')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('domain', types.text, (column) => column.notNull())
    .addColumn('token', types.text, (column) => column.notNull())
    .addColumn('verified_at', types.timestamp)
    .addColumn('last_checked_at', types.timestamp)
    .addColumn('check_error', types.text)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('custom_domains_org_domain_key')
    .unique()
    .on('custom_domains')
    .columns(['org_id', 'domain'])
    .execute()
  await db.schema
    .createIndex('custom_domains_org_created_idx')
    .on('custom_domains')
    .columns(['org_id', 'created_at', 'id'])
    .execute()
  await createTotalTriggers(db, 'custom_domains', engine)
}
