import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Who changed what. Without a reference to the organisation: it would cost every change more than the entry itself. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('audit_log')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('actor_kind', types.text, (column) => column.notNull())
    .addColumn('actor_id', types.text)
    .addColumn('actor_name', types.text, (column) => column.notNull())
    .addColumn('action', types.text, (column) => column.notNull())
    .addColumn('resource_type', types.text, (column) => column.notNull())
    .addColumn('resource_id', types.text)
    .addColumn('resource_ids', types.json)
    .addColumn('changes', types.json)
    .addColumn('address', types.text)
    .addColumn('user_agent', types.text)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`audit_log_${name}_idx`).on('audit_log').columns(columns).execute()
  await index('org', ['org_id', 'created_at', 'id'])
  await index('actor', ['org_id', 'actor_id', 'created_at', 'id'])
  await index('action', ['org_id', 'action', 'created_at', 'id'])
  await index('resource', ['org_id', 'resource_id', 'created_at', 'id'])
  await index('created', ['created_at'])
}
