import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Second factors of people: authenticator apps, recovery codes and passkeys. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('totp_secrets')
    .addColumn('user_id', types.id, (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('seed', types.text, (column) => column.notNull())
    .addColumn('last_step', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', types.id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_pkey', ['user_id', 'hash'])
    .execute()

  await db.schema
    .createTable('passkeys')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('user_id', types.id, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('credential_id', types.text, (column) => column.notNull())
    .addColumn('public_key', types.text, (column) => column.notNull())
    .addColumn('counter', types.integer, (column) => column.notNull())
    .addColumn('transports', types.json, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('last_used_at', types.timestamp)
    .execute()
  await db.schema.createIndex('passkeys_credential_key').unique().on('passkeys').column('credential_id').execute()
  await db.schema.createIndex('passkeys_user_idx').on('passkeys').columns(['user_id', 'created_at', 'id']).execute()

  await db.schema
    .createTable('used_challenges')
    .addColumn('hash', types.text, (column) => column.primaryKey())
    .addColumn('expires_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('used_challenges_expires_idx').on('used_challenges').column('expires_at').execute()
}
