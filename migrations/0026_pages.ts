import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Recreates the table, because SQLite cannot add a required column. No earlier version could insert rows into it. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.dropTable('pages').execute()
  await db.schema
    .createTable('pages')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('public_slug', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('title', types.text, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('background', types.json, (column) => column.notNull())
    .addColumn('island', types.json, (column) => column.notNull())
    .addColumn('favicon_url', types.text)
    .addColumn('meta_title', types.text)
    .addColumn('meta_description', types.text)
    .addColumn('og_image_url', types.text)
    .addColumn('default_language', types.text, (column) => column.notNull())
    .addColumn('languages', types.json, (column) => column.notNull())
    .addColumn('translations', types.json, (column) => column.notNull())
    .addColumn('proof_of_work', types.text, (column) => column.notNull())
    .addColumn('notify_user_ids', types.json, (column) => column.notNull())
    .addColumn('revision', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) => db.schema.createIndex(`pages_${name}`).on('pages').columns(columns)
  await index('public_slug_key', ['public_slug']).unique().execute()
  await index('org_slug_key', ['org_id', 'slug']).unique().execute()
  await index('created_idx', ['org_id', 'created_at', 'id']).execute()
  await index('status_idx', ['org_id', 'status', 'created_at', 'id']).execute()

  // Not in `pages`, because lists do not show them.
  await db.schema
    .createTable('page_blocks')
    .addColumn('page_id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('blocks', types.json, (column) => column.notNull())
    .execute()

  // Not in `pages`, because visitors change them all the time. A row remains when its page is deleted: submissions do, too.
  await db.schema
    .createTable('page_counters')
    .addColumn('page_id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('view_count', types.integer, (column) => column.notNull())
    .addColumn('submission_count', types.integer, (column) => column.notNull())
    .execute()

  // Every public slug ever assigned. A row remains when its page is deleted, so that a slug is never reused.
  await db.schema
    .createTable('page_addresses')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('page_id', types.id, (column) => column.notNull())
    .execute()
}
