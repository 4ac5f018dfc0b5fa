import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Every submission was created, so this is no longer stored as activity. */
export const up: MigrationStep = async (db) => {
  await sql`delete from submission_events where type = 'created'`.execute(db)
}
