import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * One index for the list of a group, and one for the foreign key. The old index was for both, but did not begin with the
 * organisation and had archived codes: SQLite read all codes of the organisation instead.
 */
export const up: MigrationStep = async (db) => {
  await sql`drop index qr_codes_group_idx`.execute(db)
  await sql`create index qr_codes_group_idx on qr_codes (group_id, org_id) where group_id is not null`.execute(db)
  await sql`create index qr_codes_group_created_idx on qr_codes (org_id, group_id, created_at, id)
    where group_id is not null and status <> 'archived'`.execute(db)
}
