import { sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/** What chatbots could not answer, and what visitors say about answers and articles. */
export const up: MigrationStep = async (db, types, engine) => {
  const clustered = sql.raw(engine === 'sqlite' ? 'without rowid' : '')

  // Questions with the same meaning, or the votes on an article.
  await db.schema
    .createTable('question_groups')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    // The chatbot that was asked. For articles, the organisation.
    .addColumn('scope_id', types.id, (column) => column.notNull())
    .addColumn('kind', types.text, (column) => column.notNull())
    .addColumn('article_id', types.id, (column) => column.references('articles.id').onDelete('cascade'))
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('question', types.text, (column) => column.notNull())
    .addColumn('terms', types.json, (column) => column.notNull())
    .addColumn('examples', types.json, (column) => column.notNull())
    .addColumn('asked_count', types.integer, (column) => column.notNull())
    .addColumn('not_helpful_count', types.integer, (column) => column.notNull())
    .addColumn('helpful_count', types.integer, (column) => column.notNull())
    .addColumn('last_conversation_id', types.id)
    .addColumn('is_listed', types.boolean, (column) => column.notNull())
    .addColumn('first_asked_at', types.timestamp, (column) => column.notNull())
    .addColumn('last_asked_at', types.timestamp, (column) => column.notNull())
    .execute()
  const index = (name: string, columns: string[]) =>
    db.schema.createIndex(`question_groups_${name}`).on('question_groups').columns(columns)
  for (const [name, column] of [
    ['recent', 'last_asked_at'],
    ['count', 'asked_count'],
  ] as const) {
    const scoped = ['org_id', 'is_listed', 'scope_id']
    await index(`${name}_idx`, ['org_id', 'is_listed', column, 'id']).execute()
    await index(`language_${name}_idx`, ['org_id', 'is_listed', 'language', column, 'id']).execute()
    await index(`scope_${name}_idx`, [...scoped, column, 'id']).execute()
    await index(`scope_language_${name}_idx`, [...scoped, 'language', column, 'id']).execute()
  }
  await index('article_key', ['article_id', 'language']).unique().where(sql<boolean>`article_id is not null`).execute()
  // Retention reads this index.
  await index('asked_idx', ['last_asked_at']).execute()
  await createTotalTriggers(db, 'question_groups', engine, ['scope_id'])

  // Hashes of the terms of a group, and of their misspellings.
  await db.schema
    .createTable('question_keys')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('key', types.integer, (column) => column.notNull())
    .addColumn('group_id', types.id, (column) => column.notNull().references('question_groups.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('question_keys_pkey', ['org_id', 'key', 'group_id'])
    .modifyEnd(clustered)
    .execute()
  await db.schema.createIndex('question_keys_group_idx').on('question_keys').column('group_id').execute()

  // What visitors say about answers. Each message has one vote.
  await db.schema
    .createTable('answer_votes')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('message_id', types.id, (column) => column.notNull())
    .addColumn('group_id', types.id)
    .addColumn('is_helpful', types.boolean, (column) => column.notNull())
    .addColumn('is_counted', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('answer_votes_pkey', ['org_id', 'message_id'])
    .execute()
  await db.schema.createIndex('answer_votes_created_idx').on('answer_votes').column('created_at').execute()

  // What visitors say about articles. The id is a hash of the visitor, the article and the day.
  await db.schema
    .createTable('article_votes')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('id', types.text, (column) => column.notNull())
    .addColumn('article_id', types.id, (column) => column.notNull())
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('is_helpful', types.boolean, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addPrimaryKeyConstraint('article_votes_pkey', ['org_id', 'id'])
    .execute()
  await db.schema.createIndex('article_votes_created_idx').on('article_votes').column('created_at').execute()
}
