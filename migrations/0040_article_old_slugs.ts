import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Earlier slugs of articles, which redirect to them; and what a text lost when it was rendered. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('article_old_slugs')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('article_id', types.id, (column) => column.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('article_old_slugs_pkey', ['org_id', 'slug'])
    .execute()
  // Deleting an article reads this index.
  await sql`create index article_old_slugs_article_idx on article_old_slugs (article_id)`.execute(db)
  await sql`alter table article_texts add column warnings ${types.json} not null default '[]'`.execute(db)
}
