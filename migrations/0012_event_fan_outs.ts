import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The largest number of deliveries that a batch of events creates in its own transaction. */
const DELIVERIES_AT_ONCE = 100

export const up: MigrationStep = async (db, types, engine) => {
  // The batch that an event was written with: the id of its first event, or null for an event that was written alone.
  await db.schema.alterTable('events').addColumn('batch_id', types.id).execute()
  await db.schema
    .alterTable('events')
    .addColumn('batch_size', types.integer, (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`create index events_batch_idx on events (org_id, batch_id, id) where batch_id is not null`.execute(db)

  // Batches whose deliveries the worker still has to create, one row per endpoint that was subscribed at that time.
  await db.schema
    .createTable('event_fan_outs')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('batch_id', types.id, (column) => column.notNull())
    .addColumn('endpoint_id', types.id, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('event_count', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('event_fan_outs_pkey', ['org_id', 'batch_id', 'endpoint_id'])
    .execute()
  await db.schema.createIndex('event_fan_outs_created_idx').on('event_fan_outs').column('created_at').execute()

  await (engine === 'sqlite' ? deliverOnSqlite : deliverOnPostgres)(db)
}

const DELIVERY = 'org_id, endpoint_id, id, event_id, type, status, attempt_count, next_attempt_at, created_at'
const FAN_OUT = 'org_id, batch_id, endpoint_id, type, event_count, created_at'

/**
 * Triggers create the deliveries of each event, so that no event can be without them. For a batch with many deliveries
 * they create rows in `event_fan_outs` instead, which the worker turns into deliveries. A backup contains both, so it
 * restores the subscriptions after the events: then the triggers create none.
 */
async function deliverOnSqlite(db: Kysely<unknown>): Promise<void> {
  const subscribed = 'event_subscriptions s where s.org_id = new.org_id and s.type = new.type'
  const isLarge = `new.batch_size * (select count(*) from ${subscribed}) > ${DELIVERIES_AT_ONCE}`
  await sql`drop trigger events_deliver`.execute(db)
  await sql
    .raw(
      `create trigger events_deliver after insert on events when new.batch_id is null or not (${isLarge}) begin
        insert into webhook_deliveries (${DELIVERY})
        select new.org_id, s.endpoint_id,
          substr(new.id, 1, 24) || lower(hex(randomblob(6))),
          new.id, new.type, 'pending', 0, new.created_at, new.created_at
        from ${subscribed};
      end`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger events_fan_out after insert on events when new.id = new.batch_id and ${isLarge} begin
        insert into event_fan_outs (${FAN_OUT})
        select new.org_id, new.batch_id, s.endpoint_id, new.type, new.batch_size, new.created_at
        from ${subscribed};
      end`,
    )
    .execute(db)
}

/** One statement, so that both inserts see the same subscriptions while another transaction changes them. */
async function deliverOnPostgres(db: Kysely<unknown>): Promise<void> {
  const subscribed = 'event_subscriptions s on s.org_id = e.org_id and s.type = e.type'
  await sql
    .raw(
      `create or replace function events_deliver() returns trigger language plpgsql as $$ begin
        with large as (
          select e.* from happened e where e.id = e.batch_id and e.batch_size * (
            select count(*) from event_subscriptions s where s.org_id = e.org_id and s.type = e.type
          ) > ${DELIVERIES_AT_ONCE}
        ), later as (
          insert into event_fan_outs (${FAN_OUT})
          select e.org_id, e.batch_id, s.endpoint_id, e.type, e.batch_size, e.created_at from large e join ${subscribed}
        )
        insert into webhook_deliveries (${DELIVERY})
        select e.org_id, s.endpoint_id,
          (substr(e.id::text, 1, 24) || substr(gen_random_uuid()::text, 25))::uuid,
          e.id, e.type, 'pending', 0, e.created_at, e.created_at
        from happened e join ${subscribed}
        where not exists (select from large where large.batch_id = e.batch_id);
        return null;
      end $$`,
    )
    .execute(db)
}
