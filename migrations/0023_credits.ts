import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The balance of each organisation, and every change of it. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('credit_balances')
    .addColumn('org_id', types.id, (column) => column.primaryKey().references('organisations.id'))
    .addColumn('balance', types.integer, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .addCheckConstraint('credit_balances_not_negative', sql`balance >= 0`)
    .execute()
  await db.schema
    .createTable('credit_entries')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('amount', types.integer, (column) => column.notNull())
    .addColumn('balance', types.integer, (column) => column.notNull())
    .addColumn('reason', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('credit_entries_org_idx')
    .on('credit_entries')
    .columns(['org_id', 'created_at', 'id'])
    .execute()
}
