import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Which organisations `waymark demo` created, and which are being deleted. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .alterTable('organisations')
    .addColumn('is_demo', types.boolean, (column) => column.notNull().defaultTo(sql`false`))
    .execute()
  await db.schema.alterTable('organisations').addColumn('deleted_at', types.timestamp).execute()
}
