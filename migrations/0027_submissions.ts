import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'

/** What visitors send with the forms of pages. */
export const up: MigrationStep = async (db, types) => {
  await db.schema
    .createTable('submissions')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('page_id', types.id, (column) => column.notNull())
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('priority', types.text, (column) => column.notNull())
    .addColumn('flagged', types.boolean, (column) => column.notNull())
    .addColumn('assignee_id', types.id)
    .addColumn('resolved_by', types.id)
    .addColumn('resolved_at', types.timestamp)
    .addColumn('notes', types.text)
    .addColumn('data', types.json, (column) => column.notNull())
    .addColumn('metadata', types.json, (column) => column.notNull())
    .addColumn('spam_reason', types.text)
    .addColumn('viewed_at', types.timestamp)
    .addColumn('duration_seconds', types.integer)
    .addColumn('scan_id', types.id)
    .addColumn('qr_code_id', types.id)
    .addColumn('product_id', types.id)
    .addColumn('object_id', types.id)
    .addColumn('search_text', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`submissions_${name}`).on('submissions').columns(columns)
  await index('page_number_key', ['page_id', 'number']).unique().execute()
  await index('created_idx', ['org_id', 'created_at', 'id']).execute()
  await index('page_idx', ['org_id', 'page_id', 'created_at', 'id']).execute()
  await index('status_idx', ['org_id', 'status', 'created_at', 'id']).execute()
  // Few rows have these values, so most submissions are not in these indexes.
  await index('flagged_idx', ['org_id', 'created_at', 'id']).where(sql<boolean>`flagged`).execute()
  await index('priority_idx', ['org_id', 'priority', 'created_at', 'id'])
    .where(sql<boolean>`priority <> 'none'`)
    .execute()
  for (const column of ['assignee_id', 'qr_code_id', 'product_id', 'object_id']) {
    await index(`${column.replace(/_id$/, '')}_idx`, ['org_id', column, 'created_at', 'id'])
      .where(sql<boolean>`${sql.ref(column)} is not null`)
      .execute()
  }

  // What happened to a submission.
  await db.schema
    .createTable('submission_events')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('submission_id', types.id, (column) => column.notNull())
    .addColumn('type', types.text, (column) => column.notNull())
    .addColumn('actor_id', types.id)
    .addColumn('from_value', types.text)
    .addColumn('to_value', types.text)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('submission_events_created_idx')
    .on('submission_events')
    .columns(['submission_id', 'created_at', 'id'])
    .execute()

  // Forms that were sent in the last days: sending one again has no further effect.
  await db.schema
    .createTable('submission_keys')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('submission_id', types.id, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('submission_keys_created_idx').on('submission_keys').column('created_at').execute()

  // The numbers of submissions whose content was erased.
  await db.schema
    .createTable('erased_submissions')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('page_id', types.id, (column) => column.notNull())
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('erased_at', types.timestamp, (column) => column.notNull())
    .execute()

  // The resource that a mail quotes. When that is erased, so is the mail.
  await db.schema.alterTable('mails').addColumn('subject_id', types.id).execute()
}
