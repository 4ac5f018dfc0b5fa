import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** Recreates the table, because SQLite cannot add a required column. No earlier version could insert rows into it. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema.dropTable('chatbots').execute()
  await db.schema
    .createTable('chatbots')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_key', types.text, (column) => column.notNull())
    .addColumn('search_text', types.text, (column) => column.notNull())
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('public_slug', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('welcome_message', types.text)
    .addColumn('welcome_subtitle', types.text)
    .addColumn('system_prompt', types.text)
    .addColumn('model', types.text)
    .addColumn('primary_color', types.text)
    .addColumn('logo_url', types.text)
    .addColumn('tone', types.text)
    .addColumn('suggestions', types.json)
    .addColumn('human_support_enabled', types.boolean, (column) => column.notNull())
    .addColumn('password_hash', types.text)
    .addColumn('page_ids', types.json, (column) => column.notNull())
    .addColumn('article_ids', types.json, (column) => column.notNull())
    .addColumn('category_ids', types.json, (column) => column.notNull())
    .addColumn('knowledge_base_ids', types.json, (column) => column.notNull())
    .addColumn('location', types.json, (column) => column.notNull())
    .addColumn('web_search_enabled', types.boolean, (column) => column.notNull())
    .addColumn('office_hours', types.json)
    .addColumn('away_message', types.text)
    .addColumn('revision', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`chatbots_${name}`).on('chatbots').columns(columns)
  await index('public_slug_key', ['public_slug']).unique().execute()
  await index('org_slug_key', ['org_id', 'slug']).unique().execute()
  await index('created_idx', ['org_id', 'created_at', 'id']).execute()
  await index('name_idx', ['org_id', 'name_key', 'id']).execute()
  await index('status_idx', ['org_id', 'status', 'created_at', 'id']).execute()
  await index('status_name_idx', ['org_id', 'status', 'name_key', 'id']).execute()
  await createTotalTriggers(db, 'chatbots', engine, ['status'])

  // Not in `chatbots`, because visitors change them all the time.
  await db.schema
    .createTable('chatbot_counters')
    .addColumn('chatbot_id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('conversation_count', types.integer, (column) => column.notNull())
    .addColumn('last_active_at', types.timestamp)
    .execute()

  // Every public slug ever assigned. A row remains when its chatbot is deleted, so that a slug is never reused.
  await db.schema
    .createTable('chatbot_addresses')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('chatbot_id', types.id, (column) => column.notNull())
    .execute()

  // The message that was paid for. The index makes sure that an answer is charged once.
  await db.schema.alterTable('credit_entries').addColumn('message_id', types.id).execute()
  await db.schema
    .createIndex('credit_entries_message_key')
    .unique()
    .on('credit_entries')
    .column('message_id')
    .where(sql<boolean>`message_id is not null`)
    .execute()
}
