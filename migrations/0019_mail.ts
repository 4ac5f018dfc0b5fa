import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Mails that wait to be sent, and the language in which a person reads them. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('users').addColumn('language', types.text).execute()
  await db.schema
    .createTable('mails')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('cause_id', types.id, (column) => column.notNull())
    .addColumn('recipient', types.text, (column) => column.notNull())
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('sealed_values', types.text, (column) => column.notNull())
    .addColumn('attempts', types.integer, (column) => column.notNull())
    .addColumn('due_at', types.timestamp, (column) => column.notNull())
    .addColumn('expires_at', types.timestamp, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('mails_due_idx').on('mails').columns(['cause_id', 'due_at', 'id']).execute()
  await db.schema.createIndex('mails_expires_idx').on('mails').column('expires_at').execute()
}
