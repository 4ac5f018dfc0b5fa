import type { MigrationStep } from '../src/platform/db/migrate.ts'

/**
 * Visits of pages, so that each is counted once in `page_counters`. Without a reference to the organisation: a view that
 * waited in a journal must not fail because the organisation was deleted.
 */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('page_views')
    .addColumn('org_id', types.id, (column) => column.notNull())
    .addColumn('id', types.id, (column) => column.notNull())
    .addColumn('page_id', types.id, (column) => column.notNull())
    .addColumn('viewed_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('page_views_pkey', ['org_id', 'id'])
    .execute()
  await db.schema.createIndex('page_views_viewed_idx').on('page_views').column('viewed_at').execute()
}
