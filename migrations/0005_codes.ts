import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { ColumnTypes } from '../src/platform/db/column-types.ts'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** Codes, their groups, objects and products, with their product images and key-value lists. */
export const up: MigrationStep = async (db, types, engine) => {
  await leading(db, types, 'qr_groups')
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('description', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .execute()
  await index(db, 'qr_groups', 'created', 'org_id, created_at, id')
  await index(db, 'qr_groups', 'name', 'org_id, name_key, id')
  await createTotalTriggers(db, 'qr_groups', engine)

  await leading(db, types, 'qr_codes')
    .addColumn('group_id', types.id, (column) => column.references('qr_groups.id'))
    .addColumn('public_slug', types.text, (column) => column.notNull())
    .addColumn('name', types.text)
    .addColumn('description', types.text)
    .addColumn('status', types.text, (column) => column.notNull())
    .execute()
  await unique(db, 'qr_codes', 'public_slug', 'public_slug')
  await index(db, 'qr_codes', 'group', 'group_id, created_at, id')
  await archivable(db, 'qr_codes')
  await createTotalTriggers(db, 'qr_codes', engine, ['status', 'group_id'])

  await leading(db, types, 'objects')
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('external_id', types.text)
    .addColumn('public_slug', types.text, (column) => column.notNull())
    .addColumn('name', types.text)
    .addColumn('description', types.text)
    .addColumn('metadata', types.json, (column) => column.notNull())
    .addColumn('is_active', types.boolean, (column) => column.notNull())
    .execute()
  await unique(db, 'objects', 'public_slug', 'public_slug')
  await unique(db, 'objects', 'org_external_id', 'org_id, external_id')
  await index(db, 'objects', 'created', 'org_id, created_at, id')
  await index(db, 'objects', 'name', 'org_id, name_key, id')
  await index(db, 'objects', 'type', 'org_id, type, created_at desc, id desc')
  await createTotalTriggers(db, 'objects', engine)

  await leading(db, types, 'products')
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('gtin', types.text)
    .addColumn('description', types.text)
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('metadata', types.json, (column) => column.notNull())
    .execute()
  await unique(db, 'products', 'org_gtin', 'org_id, gtin')
  await archivable(db, 'products')
  await createTotalTriggers(db, 'products', engine, ['status'])

  await db.schema
    .createTable('product_images')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('product_id', types.id, (column) => column.notNull().references('products.id'))
    .addColumn('asset', types.text, (column) => column.notNull())
    .addColumn('file_name', types.text, (column) => column.notNull())
    .addColumn('media_type', types.text, (column) => column.notNull())
    .addColumn('size_bytes', types.integer, (column) => column.notNull())
    .addColumn('sort_order', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await index(db, 'product_images', 'product', 'product_id, sort_order, id')

  await db.schema
    .createTable('key_values')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('owner_id', types.id, (column) => column.notNull())
    .addColumn('list', types.text, (column) => column.notNull())
    .addColumn('key', types.text, (column) => column.notNull())
    .addColumn('value', types.text, (column) => column.notNull())
    .addColumn('sort_order', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  await unique(db, 'key_values', 'owner_key', 'owner_id, list, key')
  await index(db, 'key_values', 'owner', 'owner_id, list, sort_order')
}

/** The columns of everything that has a destination. `name_key` is for sorting, `search_text` for searching. */
const leading = (db: Kysely<unknown>, types: ColumnTypes, table: string): CreateTableBuilder<string, never> =>
  db.schema
    .createTable(table)
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name_key', types.text, (column) => column.notNull())
    .addColumn('search_text', types.text, (column) => column.notNull())
    .addColumn('destination_type', types.text)
    .addColumn('destination_id', types.id)
    .addColumn('destination_url', types.text)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())

const index = async (db: Kysely<unknown>, table: string, name: string, columns: string, where = ''): Promise<void> => {
  await sql.raw(`create index ${table}_${name}_idx on ${table} (${columns}) ${where}`).execute(db)
}

const unique = async (db: Kysely<unknown>, table: string, name: string, columns: string): Promise<void> => {
  await sql.raw(`create unique index ${table}_${name}_key on ${table} (${columns})`).execute(db)
}

/** Lists exclude archived rows. With partial indexes they do not have to skip a year of archived rows. */
async function archivable(db: Kysely<unknown>, table: string): Promise<void> {
  const listed = `where status <> 'archived'`
  await index(db, table, 'created', 'org_id, created_at, id', listed)
  await index(db, table, 'name', 'org_id, name_key, id', listed)
  await index(db, table, 'status', 'org_id, status, created_at, id')
}
