import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

const OWNERS = ['qr_codes', 'qr_groups', 'objects', 'products'] as const

/** Decision rules, the versions of where an owner leads, and the object that a code is stuck on. */
export const up: MigrationStep = async (db, types, engine) => {
  for (const table of OWNERS) {
    const columns = {
      rules_version: [types.integer, undefined],
      version: [types.integer, 1],
      scheduled_count: [types.integer, 0],
    } as const
    for (const [name, [type, fallback]] of Object.entries(columns))
      await db.schema
        .alterTable(table)
        .addColumn(name, type, (column) =>
          fallback === undefined ? column : column.notNull().defaultTo(sql.lit(fallback)),
        )
        .execute()
  }
  await db.schema.alterTable('qr_codes').addColumn('object_id', types.id).execute()
  // SQLite reads the status of each row if the index does not have it, as with the index of groups.
  const status = engine === 'sqlite' ? ', status' : ''
  await sql
    .raw(
      `create index qr_codes_object_created_idx on qr_codes (org_id, object_id, created_at, id${status})
       where status <> 'archived' and object_id is not null`,
    )
    .execute(db)

  await db.schema
    .createTable('target_rules')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('owner_id', types.id, (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('document', types.json, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addUniqueConstraint('target_rules_owner_version_key', ['owner_id', 'version'])
    .execute()

  await db.schema
    .createTable('target_versions')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('owner_kind', types.text, (column) => column.notNull())
    .addColumn('owner_id', types.id, (column) => column.notNull())
    .addColumn('version', types.integer, (column) => column.notNull())
    .addColumn('cause', types.text, (column) => column.notNull())
    .addColumn('actor_kind', types.text)
    .addColumn('actor_id', types.id)
    .addColumn('actor_name', types.text)
    .addColumn('effective_at', types.timestamp, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    // Null until a scheduled version becomes effective.
    .addColumn('state', types.json)
    // What a scheduled version changes.
    .addColumn('change', types.json)
    .addUniqueConstraint('target_versions_owner_version_key', ['owner_id', 'version'])
    .execute()
  await sql`create index target_versions_effective_idx on target_versions (owner_id, effective_at, version)`.execute(db)
  await sql`create index target_versions_due_idx on target_versions (effective_at, id) where state is null`.execute(db)

  // A scan of a code that belongs to an object counts for both.
  await sql`create index scans_object_idx on scans (org_id, object_id, id)
    where target_kind = 'qr_code' and object_id is not null`.execute(db)
  if (engine === 'postgres')
    await sql`create or replace function scans_count() returns trigger language plpgsql as $$ begin
      perform from scan_totals where target_id in (
          select target_id from scanned where not is_bot
          union select object_id from scanned where not is_bot and object_id is not null)
        order by target_id for update;
      update scan_totals t set total_scans = t.total_scans + c.scans,
        last_scanned_at = greatest(t.last_scanned_at, c.latest)
      from (select counted_id, count(*) as scans, max(scanned_at) as latest
        from (select target_id as counted_id, scanned_at from scanned where not is_bot
          union all select object_id, scanned_at from scanned where not is_bot and object_id <> target_id) counted
        group by counted_id) c
      where t.target_id = c.counted_id;
      return null;
    end $$`.execute(db)
}
