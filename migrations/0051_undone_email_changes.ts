import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Finds addresses that nobody else may take, because their person can still undo a change. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('one_time_links').addColumn('email_folded', types.text).execute()
  await db.schema
    .createIndex('one_time_links_email_idx')
    .on('one_time_links')
    .column('email_folded')
    .where(sql<boolean>`email_folded is not null`)
    .execute()
}
