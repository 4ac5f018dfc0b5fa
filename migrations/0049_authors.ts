import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Who is responsible for an API key or an invitation, so that neither outlasts the trust in them. */
export const up: MigrationStep = async (db, types) => {
  for (const table of ['api_keys', 'invitations']) {
    await db.schema
      .alterTable(table)
      .addColumn('created_by', types.id, (column) => column.references('users.id'))
      .execute()
  }
  await sql`update invitations set created_by = invited_by`.execute(db)
  // The audit log knows the authors of keys that were created in the browser within the last 400 days.
  await sql`update api_keys set created_by = (
      select users.id from audit_log join users on cast(users.id as text) = audit_log.actor_id
      where audit_log.org_id = api_keys.org_id and audit_log.resource_id = cast(api_keys.id as text)
        and audit_log.action = 'api_key.created' and audit_log.actor_kind = 'person' limit 1
    )`.execute(db)
}
