import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createSumTriggers, dropSumTriggers } from '../src/platform/db/totals.ts'

/** The stored files of organisations, what refers to them, and files that no row names any more. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('assets')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('hash', types.text)
    .addColumn('visibility', types.text, (column) => column.notNull())
    .addColumn('media_type', types.text, (column) => column.notNull())
    .addColumn('size_bytes', types.integer, (column) => column.notNull())
    .addColumn('file_name', types.text, (column) => column.notNull())
    .addColumn('is_upload', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('stored_at', types.timestamp)
    .addColumn('unreferenced_since', types.timestamp)
    .execute()
  await sql`create unique index assets_name_key on assets (name)`.execute(db)
  await sql`create unique index assets_content_key on assets (org_id, visibility, hash)
    where stored_at is not null`.execute(db)
  await sql`create index assets_listed_idx on assets (org_id, created_at, id)
    where visibility = 'public' and stored_at is not null`.execute(db)
  await sql`create index assets_unreferenced_idx on assets (unreferenced_since)
    where unreferenced_since is not null`.execute(db)

  await db.schema
    .createTable('asset_references')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('owner_kind', types.text, (column) => column.notNull())
    .addColumn('owner_id', types.id, (column) => column.notNull())
    .addColumn('asset_id', types.id, (column) => column.notNull().references('assets.id'))
    .addPrimaryKeyConstraint('asset_references_pkey', ['org_id', 'owner_kind', 'owner_id', 'asset_id'])
    .execute()
  await sql`create index asset_references_asset_idx on asset_references (asset_id)`.execute(db)

  await db.schema
    .createTable('asset_removals')
    .addColumn('name', types.text, (column) => column.primaryKey())
    .addColumn('due_at', types.timestamp, (column) => column.notNull())
    .execute()
  await sql`create index asset_removals_due_idx on asset_removals (due_at)`.execute(db)

  // An image had the id that its file is named after.
  await sql`insert into assets (id, org_id, name, visibility, media_type, size_bytes, file_name, is_upload, created_at, stored_at)
    select id, org_id, asset, 'public', media_type, size_bytes, file_name, false, created_at, created_at
    from product_images`.execute(db)
  await sql`insert into asset_references (org_id, owner_kind, owner_id, asset_id)
    select org_id, 'product', product_id, id from product_images`.execute(db)
  await dropSumTriggers(db, 'product_images', engine, 'size_bytes')
  await createSumTriggers(db, 'assets', engine, 'size_bytes')
}
