import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** Words that mean the same in a knowledge base. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('knowledge_base_synonyms')
    .addColumn('knowledge_base_id', types.id, (column) =>
      column.primaryKey().references('knowledge_bases.id').onDelete('cascade'),
    )
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    // A JSON array of arrays.
    .addColumn('groups', types.text, (column) => column.notNull())
    // The hash of the groups: searches keep what they have prepared until it changes.
    .addColumn('digest', types.text, (column) => column.notNull())
    .execute()
  // The deletion of an organisation reads this index.
  await db.schema
    .createIndex('knowledge_base_synonyms_org_idx')
    .on('knowledge_base_synonyms')
    .columns(['org_id'])
    .execute()
}
