import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The indexes of lists without archived rows. */
const INDEXES = [
  ['qr_codes', 'created', 'created_at'],
  ['qr_codes', 'name', 'name_key'],
  ['qr_codes', 'group_created', 'group_id, created_at'],
  ['products', 'created', 'created_at'],
  ['products', 'name', 'name_key'],
]

/**
 * Lets late pages skip rows in the index alone. SQLite reads the status of each row, although the index has no archived ones.
 * PostgreSQL does not, and would rather take this index for the rows with a status than the one that begins with it.
 */
export const up: MigrationStep = async (db, _, engine) => {
  if (engine === 'postgres') return
  for (const [table, name, columns] of INDEXES) {
    const isGrouped = name === 'group_created'
    await sql.raw(`drop index ${table}_${name}_idx`).execute(db)
    await sql
      .raw(
        `create index ${table}_${name}_idx on ${table} (org_id, ${columns}, id, status)
         where status <> 'archived'${isGrouped ? ' and group_id is not null' : ''}`,
      )
      .execute(db)
  }
}
