import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The order of lists that are filtered by status and sorted by name. Before, all rows with the status were sorted. */
export const up: MigrationStep = async (db) => {
  for (const table of ['qr_codes', 'products'])
    await sql.raw(`create index ${table}_status_name_idx on ${table} (org_id, status, name_key, id)`).execute(db)
}
