import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import type { Engine } from '../src/platform/db/types.ts'

export const up: MigrationStep = async (db, types, engine) => {
  /** SQLite stores such a table in key order, so rows next to each other in a list are next to each other on disk. */
  const clustered = sql.raw(engine === 'sqlite' ? 'without rowid' : '')

  await db.schema
    .createTable('scan_targets')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('target_id', types.id, (column) => column.notNull())
    .addColumn('rule', types.json)
    .modifyEnd(clustered)
    .execute()

  // Scan ids start with a timestamp, so the key is also the chronological order. No foreign key to the codes: scans
  // remain when their code is deleted.
  await db.schema
    .createTable('scans')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('id', types.id, (column) => column.notNull())
    .addColumn('target_kind', types.text, (column) => column.notNull())
    .addColumn('target_id', types.id, (column) => column.notNull())
    .addColumn('scanned_at', types.timestamp, (column) => column.notNull())
    .addColumn('is_bot', types.boolean, (column) => column.notNull())
    .addColumn('visitor', types.text, (column) => column.notNull())
    .addColumn('user_agent', types.text)
    .addColumn('device_type', types.text)
    .addColumn('device_os', types.text)
    .addColumn('device_browser', types.text)
    .addColumn('destination_type', types.text)
    .addColumn('destination_id', types.id)
    .addColumn('destination_url', types.text)
    .addColumn('query_params', types.json)
    .addColumn('country', types.text)
    .addColumn('region', types.text)
    .addColumn('city', types.text)
    .addColumn('gs1', types.json)
    .addColumn('referrer', types.text)
    .addPrimaryKeyConstraint('scans_pkey', ['org_id', 'id'])
    .modifyEnd(clustered)
    .execute()
  await db.schema.createIndex('scans_target_idx').on('scans').columns(['org_id', 'target_id', 'id']).execute()

  await db.schema
    .createTable('scan_totals')
    .addColumn('target_id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('archived', types.boolean, (column) => column.notNull())
    .addColumn('total_scans', types.integer, (column) => column.notNull())
    .addColumn('last_scanned_at', types.timestamp)
    .modifyEnd(clustered)
    .execute()
  await db.schema
    .createIndex('scan_totals_org_idx')
    .on('scan_totals')
    .columns(['org_id', 'kind', 'archived', 'total_scans', 'target_id'])
    .execute()
  await countScans(db, engine)
  await followTargets(db, engine, 'qr_codes', 'qr_code', "new.status = 'archived'")
  await followTargets(db, engine, 'products', 'product', "new.status = 'archived'")
  await followTargets(db, engine, 'objects', 'object', undefined)

  // Visitors' requests contain a domain but no organisation.
  await sql`create index custom_domains_verified_idx on custom_domains (domain) where verified_at is not null`.execute(
    db,
  )

  await db.schema
    .createTable('event_subscriptions')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('endpoint_id', types.id, (column) => column.notNull())
    .addPrimaryKeyConstraint('event_subscriptions_pkey', ['org_id', 'type', 'endpoint_id'])
    .execute()

  await db.schema
    .createTable('visitor_salts')
    .addColumn('day', types.text, (column) => column.primaryKey())
    .addColumn('salt', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
}

/** Triggers count the scans that are not from bots, so that a counter always matches its rows. */
async function countScans(db: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') {
    await sql`create trigger scans_count after insert on scans when new.is_bot = 0 begin
      update scan_totals set total_scans = total_scans + 1,
        last_scanned_at = max(coalesce(last_scanned_at, ''), new.scanned_at)
      where target_id = new.target_id;
    end`.execute(db)
    return
  }
  // Updates each counter once per statement. Locks them in id order, so that two processes cannot deadlock.
  await sql`create function scans_count() returns trigger language plpgsql as $$ begin
    perform from scan_totals where target_id in (select target_id from scanned where not is_bot)
      order by target_id for update;
    update scan_totals t set total_scans = t.total_scans + c.scans,
      last_scanned_at = greatest(t.last_scanned_at, c.latest)
    from (select target_id, count(*) as scans, max(scanned_at) as latest
      from scanned where not is_bot group by target_id) c
    where t.target_id = c.target_id;
    return null;
  end $$`.execute(db)
  await sql`create trigger scans_count after insert on scans referencing new table as scanned
    for each statement execute function scans_count()`.execute(db)
}

/** Creates and deletes the counter together with the code, product or object that it belongs to. */
async function followTargets(
  db: Kysely<unknown>,
  engine: Engine,
  table: string,
  kind: string,
  archived: string | undefined,
): Promise<void> {
  const steps = {
    insert: `insert into scan_totals (target_id, org_id, kind, archived, total_scans)
      values (new.id, new.org_id, '${kind}', ${archived ?? 'false'}, 0);`,
    delete: 'delete from scan_totals where target_id = old.id;',
    ...(archived && { update: `update scan_totals set archived = ${archived} where target_id = new.id;` }),
  }
  for (const [event, step] of Object.entries(steps)) {
    const name = `${table}_scans_${event}`
    const of = event === 'update' ? ' of status' : ''
    if (engine === 'sqlite') {
      await sql.raw(`create trigger ${name} after ${event}${of} on ${table} begin ${step} end`).execute(db)
    } else {
      await sql
        .raw(`create function ${name}() returns trigger language plpgsql as $$ begin ${step} return null; end $$`)
        .execute(db)
      await sql
        .raw(`create trigger ${name} after ${event}${of} on ${table} for each row execute function ${name}()`)
        .execute(db)
    }
  }
}
