import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The customers' own ids of QR codes and groups, so that an import can be repeated. */
export const up: MigrationStep = async (db, types) => {
  for (const table of ['qr_codes', 'qr_groups']) {
    await db.schema.alterTable(table).addColumn('external_id', types.text).execute()
    await sql.raw(`create unique index ${table}_org_external_id_key on ${table} (org_id, external_id)`).execute(db)
  }
}
