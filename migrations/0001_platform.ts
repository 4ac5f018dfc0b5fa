import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The tables of the platform: organisations, API keys, and the tables that all families share. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('organisations')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('rate_per_minute', types.integer)
    .addColumn('rate_per_hour', types.integer)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('organisations_slug_key').unique().on('organisations').column('slug').execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('hash', types.text, (column) => column.notNull())
    .addColumn('prefix', types.text, (column) => column.notNull())
    .addColumn('last_four', types.text, (column) => column.notNull())
    .addColumn('expires_at', types.timestamp)
    .addColumn('paused_at', types.timestamp)
    .addColumn('revoked_at', types.timestamp)
    .addColumn('last_used_at', types.timestamp)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('api_keys_hash_key').unique().on('api_keys').column('hash').execute()
  await db.schema.createIndex('api_keys_org_idx').on('api_keys').columns(['org_id', 'created_at', 'id']).execute()

  await db.schema
    .createTable('keyring')
    .addColumn('generation', types.integer, (column) => column.primaryKey())
    .addColumn('secret', types.text, (column) => column.notNull())
    .addColumn('wrapped', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('idempotent_answers')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('credential_id', types.id, (column) => column.notNull())
    .addColumn('method', types.text, (column) => column.notNull())
    .addColumn('path', types.text, (column) => column.notNull())
    .addColumn('key', types.text, (column) => column.notNull())
    .addColumn('body_hash', types.text, (column) => column.notNull())
    .addColumn('status', types.integer, (column) => column.notNull())
    .addColumn('body', types.text, (column) => column.notNull())
    .addColumn('request_id', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotent_answers_pkey', ['org_id', 'credential_id', 'method', 'path', 'key'])
    .execute()
  await db.schema.createIndex('idempotent_answers_created_idx').on('idempotent_answers').column('created_at').execute()

  await db.schema
    .createTable('tombstones')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('id', types.id, (column) => column.notNull())
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('deleted_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('tombstones_pkey', ['org_id', 'id'])
    .execute()

  await db.schema
    .createTable('events')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('payload', types.json, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('events_org_idx').on('events').columns(['org_id', 'created_at', 'id']).execute()
  await db.schema
    .createIndex('events_org_type_idx')
    .on('events')
    .columns(['org_id', 'type', 'created_at', 'id'])
    .execute()

  await db.schema
    .createTable('row_totals')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('table_name', types.text, (column) => column.notNull())
    .addColumn('total', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('row_totals_pkey', ['org_id', 'table_name'])
    .execute()

  if (engine === 'postgres') {
    // Written once per request, so it is unlogged and leaves free space in each page for new row versions.
    await sql`create unlogged table rate_windows (
      key text collate "C" primary key,
      version bigint not null,
      windows text not null,
      updated_at timestamptz(3) not null
    ) with (fillfactor = 25)`.execute(db)
  }
}
