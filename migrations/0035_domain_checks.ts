import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** When domains are checked, since when their records are wrong, and which organisation has a name. */
export const up: MigrationStep = async (db, types) => {
  const add = (column: string) => db.schema.alterTable('custom_domains').addColumn(column, types.timestamp).execute()
  // When a worker should check the domain, or the end of its lease. Null if nobody has fixed it for a month.
  await add('check_due_at')
  // The distances between checks of an unverified domain are counted from here. Null: since it was connected.
  await add('schedule_from')
  // Since when the records of a verified domain are wrong, and when its organisation was told.
  await add('wrong_since')
  await add('warned_at')
  await sql`update custom_domains set check_due_at = created_at`.execute(db)
  // A name belongs to one organisation at a time, even if two transactions claim it at once. Public requests read it, too.
  await db.schema
    .createIndex('custom_domains_verified_key')
    .unique()
    .on('custom_domains')
    .column('domain')
    .where(sql<boolean>`verified_at is not null`)
    .execute()
  await db.schema
    .createIndex('custom_domains_due_idx')
    .on('custom_domains')
    .columns(['check_due_at', 'org_id'])
    .where(sql<boolean>`check_due_at is not null`)
    .execute()
}
