import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import type { Engine } from '../src/platform/db/types.ts'

/** Scans that another service counted before its codes were moved here. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema.alterTable('qr_codes').addColumn('imported_scans', types.integer).execute()
  await db.schema.alterTable('qr_codes').addColumn('imported_from', types.text).execute()
  await countImported(db, engine)

  await db.schema
    .createTable('imported_scan_days')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('target_id', types.id, (column) => column.notNull())
    .addColumn('day', types.text, (column) => column.notNull())
    .addColumn('scans', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('imported_scan_days_pkey', ['org_id', 'target_id', 'day'])
    .execute()
}

/** The counter of a code is its rows in `scans` and what was imported. */
async function countImported(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const insert = `insert into scan_totals (target_id, org_id, kind, archived, total_scans)
      values (new.id, new.org_id, 'qr_code', new.status = 'archived', coalesce(new.imported_scans, 0));`
  const update = `update scan_totals
      set total_scans = total_scans + coalesce(new.imported_scans, 0) - coalesce(old.imported_scans, 0)
      where target_id = new.id;`
  if (engine === 'sqlite') {
    await sql`drop trigger qr_codes_scans_insert`.execute(db)
    await sql.raw(`create trigger qr_codes_scans_insert after insert on qr_codes begin ${insert} end`).execute(db)
    await sql
      .raw(`create trigger qr_codes_scans_imported after update of imported_scans on qr_codes
        when old.imported_scans is not new.imported_scans begin ${update} end`)
      .execute(db)
    return
  }
  const define = (name: string, step: string) =>
    sql
      .raw(`create or replace function ${name}() returns trigger language plpgsql as
        $$ begin ${step} return null; end $$`)
      .execute(db)
  await define('qr_codes_scans_insert', insert)
  await define('qr_codes_scans_imported', update)
  await sql`create trigger qr_codes_scans_imported after update of imported_scans on qr_codes for each row
    when (old.imported_scans is distinct from new.imported_scans)
    execute function qr_codes_scans_imported()`.execute(db)
}
