import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Names and descriptions of knowledge bases and categories in other languages. */
export const up: MigrationStep = async (db, types, engine) => {
  for (const table of ['knowledge_bases', 'article_categories']) {
    await db.schema
      .alterTable(table)
      .addColumn('translations', types.json, (column) => column.notNull().defaultTo('{}'))
      .execute()
  }
  // The pages of a help centre show them. Its trigger would otherwise need every column that a page shows.
  const trigger = 'knowledge_bases_revision_update'
  if (engine === 'sqlite') {
    const { rows } = await sql<{ sql: string }>`select sql from sqlite_master where name = ${trigger}`.execute(db)
    await sql.raw(`drop trigger ${trigger}`).execute(db)
    for (const { sql: created } of rows) await sql.raw(created.replace(/ of [\w, ]+? on /, ' on ')).execute(db)
  } else {
    await sql.raw(`drop trigger ${trigger} on knowledge_bases`).execute(db)
    const create = `create trigger ${trigger} after update on knowledge_bases for each row execute function ${trigger}()`
    await sql.raw(create).execute(db)
  }
}
