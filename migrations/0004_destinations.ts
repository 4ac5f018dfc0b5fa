import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** What a code can link to, besides a URL. */
export const up: MigrationStep = async (db, types) => {
  for (const table of ['chatbots', 'pages', 'knowledge_bases']) {
    await db.schema
      .createTable(table)
      .addColumn('id', types.id, (column) => column.primaryKey())
      .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('public_slug', types.text, (column) => column.notNull())
      .addColumn('status', types.text, (column) => column.notNull())
      .addColumn('created_at', types.timestamp, (column) => column.notNull())
      .execute()
    await db.schema.createIndex(`${table}_public_slug_key`).unique().on(table).column('public_slug').execute()
  }
}
