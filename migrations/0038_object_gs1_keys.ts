import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** GS1 keys of objects, such as the number of an asset or a location. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('objects').addColumn('gs1_key', types.text).execute()
  await sql`create unique index objects_org_gs1_key_key on objects (org_id, gs1_key)`.execute(db)
}
