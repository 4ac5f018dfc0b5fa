import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers, dropTotalTriggers } from '../src/platform/db/totals.ts'

/** The indexes of the article list, with the columns that it is filtered by at the end. */
const INDEXES = {
  created: 'org_id, created_at, id, visibility, language',
  status: 'org_id, status, created_at, id, visibility, language',
  base_created: 'org_id, knowledge_base_id, created_at, id, status, visibility, language',
  category_created: 'org_id, category_id, created_at, id, knowledge_base_id, status, visibility, language',
  updated: 'org_id, updated_at, id, knowledge_base_id, category_id, status, visibility, language',
  title: 'org_id, title_key, id, knowledge_base_id, category_id, status, visibility, language',
}

/** Lets the article list skip articles that a filter leaves out without reading them, and count those that are left. */
export const up: MigrationStep = async (db, _, engine) => {
  for (const [name, columns] of Object.entries(INDEXES)) {
    const isPartial = name === 'category_created'
    await sql.raw(`drop index articles_${name}_idx`).execute(db)
    await sql
      .raw(
        `create index articles_${name}_idx on articles (${columns}) ${isPartial ? 'where category_id is not null' : ''}`,
      )
      .execute(db)
  }
  // The totals by status are for the version before, which may still run.
  await dropTotalTriggers(db, 'articles', engine)
  await createTotalTriggers(db, 'articles', engine, ['status', 'category_id', COMBINED, ['category_id', ...COMBINED]])
  await countExisting(db, COMBINED)
  await countExisting(db, ['category_id', ...COMBINED])
}

const COMBINED = ['knowledge_base_id', 'status', 'visibility', 'language']

async function countExisting(db: Kysely<unknown>, columns: readonly string[]): Promise<void> {
  await sql
    .raw(
      `insert into row_totals (org_id, table_name, total)
       select org_id, 'articles.${columns}=' || ${columns.join(` || ',' || `)}, count(*) from articles
       where ${columns[0]} is not null group by org_id, ${columns}`,
    )
    .execute(db)
}
