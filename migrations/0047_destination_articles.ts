import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** The article of a knowledge base that codes lead to. */
export const up: MigrationStep = async (db, types) => {
  for (const table of ['qr_codes', 'qr_groups', 'objects', 'products'])
    await db.schema.alterTable(table).addColumn('destination_article_id', types.id).execute()
}
