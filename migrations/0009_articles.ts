import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import { createTotalTriggers } from '../src/platform/db/totals.ts'

/**
 * Articles in categories, each in one or more languages, with their earlier versions.
 *
 * Indexes for lists start with the organisation. Indexes on a single column are for foreign keys: deleting a category
 * looks up the rows that refer to it.
 */
export const up: MigrationStep = async (db, types, engine) => {
  await db.schema
    .createTable('article_categories')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('knowledge_base_id', types.id, (column) => column.notNull().references('knowledge_bases.id'))
    .addColumn('parent_id', types.id, (column) => column.references('article_categories.id'))
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('description', types.text)
    .addColumn('icon', types.text, (column) => column.notNull())
    .addColumn('sort_order', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .execute()
  await unique(db, 'article_categories', 'org_slug', 'org_id, slug')
  // Lists are sorted by creation time or by sort order, with each filter: all categories, roots, those of a knowledge base, roots of a
  // knowledge base, subcategories of a category.
  for (const [suffix, order] of [
    ['_created', 'created_at, id'],
    ['', 'sort_order, id'],
  ] as const) {
    await index(db, 'article_categories', `all${suffix}`, `org_id, ${order}`)
    await index(db, 'article_categories', `roots${suffix}`, `org_id, ${order}`, 'parent_id is null')
    await index(db, 'article_categories', `base${suffix}`, `org_id, knowledge_base_id, ${order}`)
    await index(db, 'article_categories', `top${suffix}`, `org_id, knowledge_base_id, ${order}`, 'parent_id is null')
    await index(db, 'article_categories', `within${suffix}`, `org_id, parent_id, ${order}`, 'parent_id is not null')
  }
  await index(db, 'article_categories', 'parent', 'parent_id', 'parent_id is not null')
  await index(db, 'article_categories', 'knowledge_base', 'knowledge_base_id')
  await createTotalTriggers(db, 'article_categories', engine)

  await db.schema
    .createTable('articles')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('knowledge_base_id', types.id, (column) => column.notNull().references('knowledge_bases.id'))
    .addColumn('category_id', types.id, (column) => column.references('article_categories.id'))
    .addColumn('slug', types.text, (column) => column.notNull())
    .addColumn('title_key', types.text, (column) => column.notNull())
    .addColumn('status', types.text, (column) => column.notNull())
    .addColumn('visibility', types.text, (column) => column.notNull())
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('version_number', types.integer, (column) => column.notNull())
    .addColumn('indexing_status', types.text, (column) => column.notNull())
    // When a worker should index it. Null unless it is pending, or claimed by a worker that may have crashed.
    .addColumn('indexing_due_at', types.timestamp)
    .addColumn('indexing_attempts', types.integer, (column) => column.notNull().defaultTo(0))
    .addColumn('indexed_at', types.timestamp)
    .addColumn('published_at', types.timestamp)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .execute()
  await unique(db, 'articles', 'org_slug', 'org_id, slug')
  await index(db, 'articles', 'created', 'org_id, created_at, id')
  await index(db, 'articles', 'updated', 'org_id, updated_at, id')
  await index(db, 'articles', 'title', 'org_id, title_key, id')
  await index(db, 'articles', 'status', 'org_id, status, created_at, id')
  await index(db, 'articles', 'base_created', 'org_id, knowledge_base_id, created_at, id')
  await index(db, 'articles', 'category_created', 'org_id, category_id, created_at, id', 'category_id is not null')
  await index(db, 'articles', 'knowledge_base', 'knowledge_base_id')
  await index(db, 'articles', 'category', 'category_id', 'category_id is not null')
  await index(db, 'articles', 'indexing', 'indexing_due_at, id', 'indexing_due_at is not null')
  // The lists of the help centre.
  const isPublic = `status = 'published' and visibility = 'public'`
  await index(db, 'articles', 'public_category', 'org_id, category_id, title_key, id', isPublic)
  await index(db, 'articles', 'public_updated', 'org_id, knowledge_base_id, updated_at, id', isPublic)
  await index(
    db,
    'articles',
    'public_top',
    'org_id, knowledge_base_id, title_key, id',
    `category_id is null and ${isPublic}`,
  )
  await createTotalTriggers(db, 'articles', engine, ['status', 'category_id'])

  // The article's original text and its translations: one row per language.
  await db.schema
    .createTable('article_texts')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('article_id', types.id, (column) => column.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('title', types.text, (column) => column.notNull())
    // How often the original text has changed. In a translation, the revision of the original that it is based on.
    .addColumn('revision', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('updated_at', types.timestamp, (column) => column.notNull())
    .addColumn('content', types.text, (column) => column.notNull())
    .addColumn('content_plain', types.text, (column) => column.notNull())
    .addColumn('search_text', types.text, (column) => column.notNull())
    .execute()
  await unique(db, 'article_texts', 'article_language', 'article_id, language')
  await index(db, 'article_texts', 'created', 'article_id, created_at, id')

  await db.schema
    .createTable('article_versions')
    .addColumn('id', types.id, (column) => column.primaryKey())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('article_id', types.id, (column) => column.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('version_number', types.integer, (column) => column.notNull())
    .addColumn('title', types.text, (column) => column.notNull())
    .addColumn('language', types.text, (column) => column.notNull())
    .addColumn('change_summary', types.text)
    .addColumn('created_at', types.timestamp, (column) => column.notNull())
    .addColumn('content', types.text, (column) => column.notNull())
    .execute()
  await unique(db, 'article_versions', 'number', 'article_id, version_number')

  await db.schema
    .createTable('article_tag_assignments')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('article_id', types.id, (column) => column.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('tag_id', types.id, (column) => column.notNull().references('article_tags.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('article_tag_assignments_pkey', ['article_id', 'tag_id'])
    .execute()
  await index(db, 'article_tag_assignments', 'tag', 'tag_id, article_id')

  await db.schema
    .createTable('article_relations')
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('article_id', types.id, (column) => column.notNull().references('articles.id').onDelete('cascade'))
    .addColumn('related_article_id', types.id, (column) =>
      column.notNull().references('articles.id').onDelete('cascade'),
    )
    .addColumn('sort_order', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('article_relations_pkey', ['article_id', 'related_article_id'])
    .execute()
  await index(db, 'article_relations', 'order', 'article_id, sort_order, related_article_id')
  await index(db, 'article_relations', 'related', 'related_article_id')
}

const unique = (db: Kysely<unknown>, table: string, name: string, columns: string) =>
  sql.raw(`create unique index ${table}_${name}_key on ${table} (${columns})`).execute(db)

const index = (db: Kysely<unknown>, table: string, name: string, columns: string, where = '') =>
  sql.raw(`create index ${table}_${name}_idx on ${table} (${columns}) ${where && `where ${where}`}`).execute(db)
