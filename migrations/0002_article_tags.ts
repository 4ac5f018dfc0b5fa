import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('article_tags')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_folded', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('article_tags_org_name_key')
    .unique()
    .on('article_tags')
    .columns(['org_id', 'name_folded'])
    .execute()
  await db.schema
    .createIndex('article_tags_org_created_idx')
    .on('article_tags')
    .columns(['org_id', 'created_at', 'id'])
    .execute()
  await createTotalTriggers(db, 'article_tags', engine)
}
