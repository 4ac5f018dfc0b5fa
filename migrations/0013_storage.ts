import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createSumTriggers } from '../src/platform/db/totals.ts'

/** How many bytes of files an organisation may store, and how many it does. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema.alterTable('organisations').addColumn('storage_bytes_max', types.integer).execute()
  await createSumTriggers(db, 'product_images', engine, 'size_bytes')
}
