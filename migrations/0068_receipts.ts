import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

const SCANNED = { qr_code_id: 'qr_codes', product_id: 'products', object_id: 'objects' } as const

/** What a visitor sees of a submission later: a receipt at a private address, and replies of the team. */
export const up: MigrationStep = async (db, types) => {
  // What was scanned, as it was called then. For a product, the number is its GTIN.
  await db.schema.alterTable('submissions').addColumn('scanned_name', types.text).execute()
  await db.schema.alterTable('submissions').addColumn('scanned_external_id', types.text).execute()
  // Null for those that were sent before.
  await db.schema.alterTable('submissions').addColumn('language', types.text).execute()
  await db.schema
    .alterTable('submissions')
    .addColumn('reply_count', types.integer, (column) => column.notNull().defaultTo(sql.lit(0)))
    .execute()
  for (const [column, table] of Object.entries(SCANNED)) {
    const id = sql.ref(`submissions.${column}`)
    const ofThing = (name: string) =>
      sql`(select ${sql.ref(name)} from ${sql.table(table)} as t where t.id = ${id} and t.org_id = submissions.org_id)`
    await sql`update submissions
      set scanned_name = ${ofThing('name')}, scanned_external_id = ${ofThing(table === 'products' ? 'gtin' : 'external_id')}
      where ${id} is not null`.execute(db)
  }

  // Several addresses lead to a receipt: the first one, and one for each mail, because only hashes of them are stored.
  await db.schema
    .createTable('submission_receipts')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('submission_id', types.id, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('submission_receipts_submission_idx')
    .on('submission_receipts')
    .column('submission_id')
    .execute()

  await db.schema
    .createTable('submission_replies')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('submission_id', types.id, (column) => column.notNull())
    .addColumn('author_id', types.id)
    .addColumn('text', types.text, (column) => column.notNull())
    .addColumn('mailed', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('submission_replies_created_idx')
    .on('submission_replies')
    .columns(['submission_id', 'created_at', 'id'])
    .execute()
}
