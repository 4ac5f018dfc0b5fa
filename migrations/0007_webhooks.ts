import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'
import type { Engine } from '../src/platform/db/types.ts'

export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('grant_id', types.text)
    .addColumn('url', types.text, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('events', types.json, (column) => column.notNull())
    .addColumn('is_active', types.boolean, (column) => column.notNull())
    .addColumn('disabled_reason', types.text)
    .addColumn('secret', types.text, (column) => column.notNull())
    .addColumn('old_secret', types.text)
    .addColumn('old_secret_expires_at', types.timestamp)
    .addColumn('failing_since', types.timestamp)
    .addColumn('failed_attempts', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('webhook_endpoints_org_idx')
    .on('webhook_endpoints')
    .columns(['org_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('webhook_endpoints_grant_idx')
    .on('webhook_endpoints')
    .columns(['org_id', 'grant_id', 'created_at', 'id'])
    .execute()
  await createTotalTriggers(db, 'webhook_endpoints', engine, ['grant_id'])

  // Created before the deliveries, because a backup is restored in this order. Deliveries in the backup already include
  // the changes of their attempts, so the trigger must find no delivery to update.
  await db.schema
    .createTable('webhook_attempts')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('endpoint_id', types.id, (column) => column.notNull())
    .addColumn('delivery_id', types.id, (column) => column.notNull())
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('started_at', types.timestamp, (column) => column.notNull())
    .addColumn('duration_ms', types.integer, (column) => column.notNull())
    .addColumn('response_status', types.integer)
    .addColumn('error', types.text)
    .addColumn('response_body', types.text)
    .addColumn('status_after', types.text, (column) => column.notNull())
    .addColumn('next_attempt_at', types.timestamp)
    .addPrimaryKeyConstraint('webhook_attempts_pkey', ['org_id', 'endpoint_id', 'delivery_id', 'number'])
    .execute()
  await db.schema.createIndex('webhook_attempts_started_idx').on('webhook_attempts').column('started_at').execute()

  // Delivery ids start with the timestamp of their event, so the key is also the chronological order. No foreign key to
  // the endpoint, so that it can be deleted before its deliveries.
  await db.schema
    .createTable('webhook_deliveries')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('endpoint_id', types.id, (column) => column.notNull())
    .addColumn('id', types.id, (column) => column.notNull())
    .addColumn('event_id', types.id)
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('test_payload', types.json)
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('attempt_count', types.integer, (column) => column.notNull())
    .addColumn('next_attempt_at', types.timestamp)
    .addColumn('delivered_at', types.timestamp)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('webhook_deliveries_pkey', ['org_id', 'endpoint_id', 'id'])
    .execute()
  const list = (name: string, columns: string[]) =>
    db.schema.createIndex(`webhook_deliveries_${name}_idx`).on('webhook_deliveries').columns(columns).execute()
  await list('status', ['org_id', 'endpoint_id', 'status', 'id'])
  await list('type', ['org_id', 'endpoint_id', 'type', 'id'])
  await list('status_type', ['org_id', 'endpoint_id', 'status', 'type', 'id'])
  await list('created', ['created_at'])

  // Pending deliveries in the order in which they are sent: first attempts by age, retries by due time, tests
  // separately. The indexes are partial, so finished deliveries cost nothing. `status` is constant in them, but without
  // it the planner uses the general status index and filters its rows one by one.
  const queue = (name: string, columns: string, rest: string) =>
    sql
      .raw(
        `create index webhook_deliveries_${name}_idx on webhook_deliveries (org_id, endpoint_id, status, ${columns})
         where status = 'pending' and ${rest}`,
      )
      .execute(db)
  await queue('new', 'id', 'attempt_count = 0 and event_id is not null')
  await queue('retry', 'next_attempt_at, id', 'attempt_count > 0 and event_id is not null')
  await queue('test', 'id', 'event_id is null')

  // The organisations whose deliveries a worker is sending. Other workers skip them until the lease is released or
  // expires.
  await db.schema
    .createTable('delivery_leases')
    .addColumn('org_id', types.id, (column) => column.primaryKey())
    .addColumn('holder', types.text, (column) => column.notNull())
    .addColumn('leased_until', types.timestamp, (column) => column.notNull())
    .execute()

  await deliverEvents(db, engine)
  await followAttempts(db, engine)

  await db.schema.createIndex('events_created_idx').on('events').column('created_at').execute()
}

/**
 * A trigger creates the deliveries of each event, so that no event can be without them. A delivery id starts like the
 * event id, so that deliveries sort like events, and ends with random bits. A backup contains the deliveries, so it
 * restores the subscriptions after the events: then the trigger creates none.
 */
async function deliverEvents(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const columns = 'org_id, endpoint_id, id, event_id, type, status, attempt_count, next_attempt_at, created_at'
  if (engine === 'sqlite') {
    await sql
      .raw(
        `create trigger events_deliver after insert on events begin
          insert into webhook_deliveries (${columns})
          select new.org_id, s.endpoint_id,
            substr(new.id, 1, 24) || lower(hex(randomblob(6))),
            new.id, new.type, 'pending', 0, new.created_at, new.created_at
          from event_subscriptions s where s.org_id = new.org_id and s.type = new.type;
        end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create function events_deliver() returns trigger language plpgsql as $$ begin
        insert into webhook_deliveries (${columns})
        select e.org_id, s.endpoint_id,
          (substr(e.id::text, 1, 24) || substr(gen_random_uuid()::text, 25))::uuid,
          e.id, e.type, 'pending', 0, e.created_at, e.created_at
        from happened e join event_subscriptions s on s.org_id = e.org_id and s.type = e.type;
        return null;
      end $$`,
    )
    .execute(db)
  await sql`create trigger events_deliver after insert on events referencing new table as happened
    for each statement execute function events_deliver()`.execute(db)
}

/** A trigger applies each attempt to its delivery, so that writing an attempt is one insert. */
async function followAttempts(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const set = (attempt: string, delivery: string) =>
    `status = ${attempt}.status_after, attempt_count = ${attempt}.number, next_attempt_at = ${attempt}.next_attempt_at,
     delivered_at = case when ${attempt}.status_after = 'delivered' then ${attempt}.started_at else ${delivery}.delivered_at end`
  const is = (attempt: string) =>
    `webhook_deliveries.org_id = ${attempt}.org_id and webhook_deliveries.endpoint_id = ${attempt}.endpoint_id
     and webhook_deliveries.id = ${attempt}.delivery_id`
  if (engine === 'sqlite') {
    await sql
      .raw(
        `create trigger webhook_attempts_follow after insert on webhook_attempts begin
          update webhook_deliveries set ${set('new', 'webhook_deliveries')} where ${is('new')};
        end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create function webhook_attempts_follow() returns trigger language plpgsql as $$ begin
        update webhook_deliveries set ${set('a', 'webhook_deliveries')} from attempted a where ${is('a')};
        return null;
      end $$`,
    )
    .execute(db)
  await sql`create trigger webhook_attempts_follow after insert on webhook_attempts referencing new table as attempted
    for each statement execute function webhook_attempts_follow()`.execute(db)
}
