import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Lets search rank by headings and by single words, and correct two letters of shorter words. */
export const up: MigrationStep = async (db, types, engine) => {
  // Folded, in order, like `title_words`.
  await db.schema
    .alterTable('article_search_texts')
    .addColumn('heading_words', types.text, (column) => column.notNull().defaultTo(''))
    .execute()

  // Forgets which texts are in the index, so that all published articles are indexed again, now with their headings. Words
  // get more keys for misspellings.
  await sql`update article_search_texts set digest = ''`.execute(db)
  await sql`update articles set indexing_due_at = '1970-01-01T00:00:00.000+00:00' where status = 'published'`.execute(
    db,
  )
  await sql`update article_search_words set is_settled = false`.execute(db)

  if (engine === 'sqlite') return
  await sql`alter table article_search_texts alter column heading_words set storage main`.execute(db)
  // Returns for each expression up to `most` of the texts that match it, in one round trip. The settings force the use of
  // the GIN index, as in `article_search_find`.
  await sql
    .raw(
      `create function article_search_lists(wanted uuid, expressions jsonb, most bigint)
       returns table (number bigint, ids jsonb) language plpgsql
       stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$ begin
         return query select listed.ordinality, (select coalesce(jsonb_agg(limited.id), '[]') from (
             select found.id from (select t.id, t.org_id from article_search_texts t
               where t.terms @@ listed.expression::tsquery offset 0) found
             where found.org_id = wanted limit most) limited)
           from jsonb_array_elements_text(expressions) with ordinality as listed (expression, ordinality); end $$`,
    )
    .execute(db)
}
