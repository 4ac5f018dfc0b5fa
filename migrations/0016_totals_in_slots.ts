import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** More than the transactions that one organisation has at once, so that two of them seldom share a slot. */
const SLOTS = 16

/**
 * On PostgreSQL, a total is spread over several rows, so that transactions of one organisation do not wait for each other.
 * SQLite has one writer and needs no more than one.
 */
export const up: MigrationStep = async (db, types, engine) => {
  const slot = db.schema.alterTable('row_totals')
  if (engine === 'sqlite') {
    await slot.addColumn('slot', types.integer, (column) => column.notNull().defaultTo(0)).execute()
    return
  }
  await slot
    .addColumn('slot', types.integer, (column) => column.notNull().defaultTo(sql`pg_backend_pid() % ${sql.lit(SLOTS)}`))
    .execute()
  await sql`alter table row_totals drop constraint row_totals_pkey,
    add constraint row_totals_pkey primary key (org_id, table_name, slot)`.execute(db)
  await sql`do $$ declare counting oid; begin
    for counting in select oid from pg_proc where pronamespace = current_schema()::regnamespace
      and prosrc like '%on conflict (org_id, table_name)%'
    loop
      execute replace(pg_get_functiondef(counting),
        'on conflict (org_id, table_name)', 'on conflict on constraint row_totals_pkey');
    end loop;
  end $$`.execute(db)
}
