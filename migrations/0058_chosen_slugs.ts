import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Codes with a slug that somebody chose: on the host of the service, or on one custom domain alone. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('qr_codes').addColumn('domain_id', types.id).execute()
  // The name stays the same, so no list of codes has to look it up.
  await db.schema.alterTable('qr_codes').addColumn('domain', types.text).execute()
  // A slug is unique by `scan_targets`: on the host of the service, or on its domain. This index finds codes by it.
  await sql`drop index qr_codes_public_slug_key`.execute(db)
  await sql`create index qr_codes_slug_idx on qr_codes (org_id, public_slug)`.execute(db)
  await sql`create unique index qr_codes_domain_slug_key on qr_codes (domain_id, public_slug)
    where domain_id is not null`.execute(db)
  // The slugs of erased organisations, as hashes: what was printed must never lead to somebody else.
  await db.schema
    .createTable('retired_slugs')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .execute()
}
