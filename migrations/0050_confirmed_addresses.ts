import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Whether a person can read the mail of their address, and whether an invitation was sent to it. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('users').addColumn('email_confirmed_at', types.timestamp).execute()
  // Nothing says how these people got their links. To ask all of them would lock out those whose mail does not work.
  await sql`update users set email_confirmed_at = created_at`.execute(db)
  await db.schema
    .alterTable('invitations')
    .addColumn('is_mailed', types.boolean, (column) => column.notNull().defaultTo(sql`false`))
    .execute()
}
