import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * Scans are appended to a journal and stored a moment later, many together. Each counter is then changed once, which on
 * SQLite a trigger cannot do. The journal of PostgreSQL is a table.
 */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('journal_texts')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('entries', types.text, (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('org_ids', types.text, (column) => column.notNull())
    .addColumn('json', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  if (engine === 'postgres') {
    // Rows live for less than a second, and are too short-lived to be worth compressing.
    await sql`alter table journal_texts alter column json set storage external`.execute(db)
    await sql`alter table journal_texts set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
      toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000)`.execute(db)
  }

  // What reports will ask for. Later, millions of rows would have to be rewritten.
  const added = {
    group_id: types.id,
    object_id: types.id,
    domain: types.text,
    via: types.text,
    rule_id: types.text,
    rules_version: types.integer,
    variant: types.text,
    destination_version: types.integer,
    reason: types.text,
  }
  for (const [name, type] of Object.entries(added)) await db.schema.alterTable('scans').addColumn(name, type).execute()

  if (engine === 'sqlite') {
    // Whoever stores a scan with `rules_version` counts it. An older release knows nothing of it.
    await sql`drop trigger scans_count`.execute(db)
    await sql`create trigger scans_count after insert on scans when new.is_bot = 0 and new.rules_version is null begin
      update scan_totals set total_scans = total_scans + 1,
        last_scanned_at = max(coalesce(last_scanned_at, ''), new.scanned_at)
      where target_id = new.target_id;
    end`.execute(db)
  }
}
