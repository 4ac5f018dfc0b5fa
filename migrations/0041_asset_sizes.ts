import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The width and height of images, so that a page reserves their place before they are loaded. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('assets').addColumn('width', types.integer).execute()
  await db.schema.alterTable('assets').addColumn('height', types.integer).execute()
  // Null: not measured yet. Images from before this migration are measured in the background.
  await db.schema.alterTable('assets').addColumn('measured_at', types.timestamp).execute()
  await sql`create index assets_unmeasured_idx on assets (id) where measured_at is null and stored_at is not null`.execute(
    db,
  )
}
