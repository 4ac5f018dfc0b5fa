import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** A scan whose exact key no object has looks for the keys that stand for many. */
export const up: MigrationStep = async (db) => {
  await sql`create index objects_gs1_key_prefixes on objects (org_id, gs1_key) where gs1_key like '%{rest}'`.execute(db)
}
