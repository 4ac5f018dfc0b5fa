import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** Recreates the table, because SQLite cannot add a required column. No earlier version could insert rows into it. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema.dropTable('knowledge_bases').execute()
  await db.schema
    .createTable('knowledge_bases')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('public_slug', types.text, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('logo_url', types.text)
    .addColumn('primary_color', types.text)
    .addColumn('is_published', types.boolean, (column) => column.notNull())
    .addColumn('default_language', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  const unique = (name: string, columns: string[]) =>
    db.schema.createIndex(`knowledge_bases_${name}_key`).unique().on('knowledge_bases').columns(columns).execute()
  const list = (name: string, columns: string[]) =>
    db.schema.createIndex(`knowledge_bases_${name}_idx`).on('knowledge_bases').columns(columns).execute()
  await unique('public_slug', ['public_slug'])
  await unique('org_slug', ['org_id', 'slug'])
  await list('created', ['org_id', 'created_at', 'id'])
  await list('published', ['org_id', 'is_published', 'created_at', 'id'])
  await createTotalTriggers(db, 'knowledge_bases', engine)

  // Every public slug ever assigned. A row remains when its knowledge base is deleted, so that a slug is never reused.
  await db.schema
    .createTable('knowledge_base_addresses')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('knowledge_base_id', types.id, (column) => column.notNull())
    .execute()
}
