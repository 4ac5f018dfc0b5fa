import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** What visitors, chatbots and agents write to each other. */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('conversations')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('chatbot_id', types.id, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('priority', types.text, (column) => column.notNull())
    .addColumn('title', types.text)
    .addColumn('contact_email', types.text)
    .addColumn('contact_name', types.text)
    .addColumn('contact_phone', types.text)
    .addColumn('assigned_to', types.id)
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('last_message_preview', types.text)
    .addColumn('last_message_at', types.timestamp)
    .addColumn('agent_read_at', types.timestamp)
    .addColumn('visitor_read_at', types.timestamp)
    .addColumn('visitor_seen_at', types.timestamp)
    .addColumn('visitor_mailed_at', types.timestamp)
    .addColumn('resolved_at', types.timestamp)
    .addColumn('closed_at', types.timestamp)
    .addColumn('scan_id', types.id)
    .addColumn('qr_code_id', types.id)
    .addColumn('product_id', types.id)
    .addColumn('object_id', types.id)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('active_at', types.timestamp, (column) => column.notNull())
    .addColumn('changed_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`conversations_${name}`).on('conversations').columns(columns)
  // Each filter in both orders.
  for (const [name, order] of Object.entries({ created: 'created_at', active: 'active_at' })) {
    await index(`${name}_idx`, ['org_id', order, 'id']).execute()
    await index(`chatbot_${name}_idx`, ['org_id', 'chatbot_id', order, 'id']).execute()
    await index(`status_${name}_idx`, ['org_id', 'status', order, 'id']).execute()
    await index(`priority_${name}_idx`, ['org_id', 'priority', order, 'id']).execute()
    await index(`assigned_${name}_idx`, ['org_id', 'assigned_to', order, 'id']).execute()
  }

  await db.schema
    .createTable('messages')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('conversation_id', types.id, (column) => column.notNull())
    .addColumn('role', types.text, (column) => column.notNull())
    .addColumn('metadata', types.json, (column) => column.notNull())
    .addColumn('parts', types.json, (column) => column.notNull())
    .addColumn('message_key', types.text)
    .addColumn('answer_to', types.id)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  // The ids of a conversation's messages are in the order of their times.
  await sql`create index messages_conversation_idx on messages (conversation_id, id)`.execute(db)
  await sql`create unique index messages_key on messages (conversation_id, message_key)
    where message_key is not null`.execute(db)
  await sql`create unique index messages_answer_key on messages (conversation_id, answer_to)
    where answer_to is not null`.execute(db)

  await db.schema
    .createTable('conversation_files')
    .addColumn('conversation_id', types.id, (column) => column.notNull())
    .addColumn('file_id', types.id, (column) => column.notNull())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('file_name', types.text, (column) => column.notNull())
    .addColumn('media_type', types.text, (column) => column.notNull())
    .addColumn('size_bytes', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('conversation_files_pkey', ['conversation_id', 'file_id'])
    .execute()

  // What lets a visitor continue a conversation: tokens of browsers, and of links in mails.
  await db.schema
    .createTable('conversation_tokens')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('conversation_id', types.id, (column) => column.notNull())
    .addColumn('purpose', types.text, (column) => column.notNull())
    .addColumn('expires_at', types.timestamp, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await sql`create index conversation_tokens_conversation_idx on conversation_tokens (conversation_id)`.execute(db)
  await sql`create index conversation_tokens_expires_idx on conversation_tokens (expires_at)`.execute(db)

  // When events about a conversation were emitted, so that erasing it finds them.
  await db.schema
    .createTable('conversation_changes')
    .addColumn('conversation_id', types.id, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addPrimaryKeyConstraint('conversation_changes_pkey', ['conversation_id', 'created_at'])
    .execute()
  await sql`create index conversation_changes_created_idx on conversation_changes (created_at)`.execute(db)

  await db.schema
    .createTable('conversation_notes')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('conversation_id', types.id, (column) => column.notNull())
    .addColumn('author_id', types.id)
    .addColumn('content', types.text, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await sql`create index conversation_notes_created_idx
    on conversation_notes (conversation_id, created_at, id)`.execute(db)

  await db.schema
    .createTable('conversation_tags')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('name_folded', types.text, (column) => column.notNull())
    .addColumn('color', types.text)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await sql`create unique index conversation_tags_org_name_key
    on conversation_tags (org_id, name_folded)`.execute(db)
  await sql`create index conversation_tags_org_created_idx
    on conversation_tags (org_id, created_at, id)`.execute(db)
  await createTotalTriggers(db, 'conversation_tags', engine)

  await db.schema
    .createTable('conversation_tag_assignments')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('conversation_id', types.id, (column) => column.notNull())
    .addColumn('tag_id', types.id, (column) => column.notNull().references('conversation_tags.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('conversation_tag_assignments_pkey', ['conversation_id', 'tag_id'])
    .execute()
  await sql`create index conversation_tag_assignments_tag_idx
    on conversation_tag_assignments (tag_id, conversation_id)`.execute(db)
}
