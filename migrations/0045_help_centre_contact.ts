import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

const BLANKS = ' \t\n\r'

/** How visitors of a help centre reach its owner, and articles without content, which it does not list. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('knowledge_bases').addColumn('contact_email', types.text).execute()
  await db.schema.alterTable('knowledge_bases').addColumn('contact_phone', types.text).execute()
  await db.schema
    .alterTable('articles')
    .addColumn('is_empty', types.boolean, (column) => column.notNull().defaultTo(sql.lit(false)))
    .execute()
  await sql`update articles set is_empty = true where exists (
    select 1 from article_texts as t where t.article_id = articles.id and t.language = articles.language
      and trim(t.content, ${sql.lit(BLANKS)}) = '')`.execute(db)
  for (const [name, columns, only] of [
    ['articles_public_category_idx', 'org_id, category_id, title_key, id', ''],
    ['articles_public_top_idx', 'org_id, knowledge_base_id, title_key, id', 'category_id is null and '],
    ['articles_public_updated_idx', 'org_id, knowledge_base_id, updated_at, id', ''],
  ] as const) {
    await db.schema.dropIndex(name).execute()
    await sql
      .raw(
        `create index ${name} on articles (${columns})
         where ${only}status = 'published' and visibility = 'public' and not is_empty`,
      )
      .execute(db)
  }
}
