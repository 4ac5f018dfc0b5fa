import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** Applications that registered with us, what people allow them to do, and the tokens that follow from it. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('oauth_clients')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('redirect_uris', types.json, (column) => column.notNull())
    .addColumn('logo_url', types.text)
    .addColumn('used_at', types.timestamp)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('oauth_clients_unused_idx')
    .on('oauth_clients')
    .column('created_at')
    .where(sql<boolean>`used_at is null`)
    .execute()

  await db.schema
    .createTable('oauth_grants')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id').onDelete('cascade'))
    .addColumn('user_id', types.id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('client_id', types.text, (column) => column.notNull().references('oauth_clients.id'))
    .addColumn('scopes', types.json, (column) => column.notNull())
    .addColumn('last_used_at', types.timestamp)
    .addColumn('expires_at', types.timestamp, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`oauth_grants_${name}_idx`).on('oauth_grants').columns(columns).execute()
  await index('org', ['org_id', 'created_at', 'id'])
  await index('user', ['org_id', 'user_id', 'created_at', 'id'])
  await index('expires', ['expires_at'])
  await createTotalTriggers(db, 'oauth_grants', engine, ['user_id'])

  // Codes, access tokens, refresh tokens, and requests that a person is deciding about. All by the hash of their secret.
  await db.schema
    .createTable('oauth_tokens')
    .addColumn('hash', types.text, (column) => column.primaryKey())
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('grant_id', types.id, (column) => column.references('oauth_grants.id').onDelete('cascade'))
    .addColumn('payload', types.json, (column) => column.notNull())
    .addColumn('consumed_at', types.timestamp)
    .addColumn('expires_at', types.timestamp, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('oauth_tokens_grant_idx')
    .on('oauth_tokens')
    .columns(['grant_id', 'kind', 'created_at'])
    .execute()
  await db.schema.createIndex('oauth_tokens_expires_idx').on('oauth_tokens').column('expires_at').execute()
}
