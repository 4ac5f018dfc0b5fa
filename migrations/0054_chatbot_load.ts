import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** When the owners were last told that visitors ask a chatbot unusually many questions. */
export const up: MigrationStep = async (db, types) => {
  await db.schema.alterTable('chatbot_counters').addColumn('load_noticed_at', types.timestamp).execute()
}
