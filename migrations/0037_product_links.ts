import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The links of products, for GS1 resolvers. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('product_links')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('product_id', types.id, (column) => column.notNull().references('products.id').onDelete('cascade'))
    .addColumn('link_type', types.text, (column) => column.notNull())
    .addColumn('destination_type', types.text, (column) => column.notNull())
    .addColumn('destination_id', types.id)
    .addColumn('destination_url', types.text)
    .addColumn('address', types.text, (column) => column.notNull())
    .addColumn('title', types.text, (column) => column.notNull())
    .addColumn('language', types.text)
    .addColumn('media_type', types.text)
    .addColumn('is_default', types.boolean, (column) => column.notNull())
    .addColumn('lot', types.text)
    .addColumn('serial', types.text)
    .addColumn('sort_order', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  await sql`create index product_links_product_idx on product_links (product_id, sort_order)`.execute(db)
  // A lot or serial number is never empty.
  await sql`create unique index product_links_default_key
    on product_links (product_id, coalesce(lot, ''), coalesce(serial, '')) where is_default`.execute(db)
}
