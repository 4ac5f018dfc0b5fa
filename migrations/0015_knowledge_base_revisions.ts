import { type Kysely, sql } from 'kysely'
import type { MigrationStep } from '../src/platform/db/migrate.ts'
import type { Engine } from '../src/platform/db/types.ts'

/**
 * Help centre pages are cached by the revision of their knowledge base (ADR 19). Triggers change it with everything that a
 * page shows, so that no code can forget it.
 */
export const up: MigrationStep = async (db, types, engine) => {
  // A row remains when its knowledge base is deleted: that is a change, too.
  await db.schema
    .createTable('knowledge_base_revisions')
    .addColumn('knowledge_base_id', types.id, (column) => column.notNull())
    .addColumn('slot', types.integer, (column) => column.notNull())
    .addColumn('org_id', types.id, (column) => column.notNull().references('organisations.id'))
    .addColumn('revision', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('knowledge_base_revisions_pkey', ['knowledge_base_id', 'slot'])
    .execute()
  for (const source of SOURCES) {
    for (const event of source.events) await createTrigger(db, engine, source, event)
  }
  if (engine === 'sqlite') return
  const notify = `perform pg_notify('waymark', 'help_centres ' || new.org_id)`
  await createFunction(db, 'knowledge_base_revisions_announce', notify)
  await sql`create trigger knowledge_base_revisions_announce after insert or update on knowledge_base_revisions
    for each row execute function knowledge_base_revisions_announce()`.execute(db)
}

type Event = 'insert' | 'update' | 'delete'

interface Source {
  table: string
  events: readonly Event[]
  /** The columns that pages show, if there are others. */
  shown?: readonly string[]
  /** PostgreSQL applies them while it plans the statement. */
  settings?: string
  /** Selects the knowledge base of a row, and its organisation. `rows` is empty where `row` is a variable. */
  select: (row: string, rows: string) => string
}

const isPublic = (article: string) => `${article}.status = 'published' and ${article}.visibility = 'public'`

/** The limit makes PostgreSQL look up each article by its id. Its plan may be older than most of the articles. */
const ofArticle: Source['select'] = (row, rows) =>
  `select found.* ${rows ? `${from(row, rows)} cross join lateral` : 'from'} (
     select a.knowledge_base_id, a.org_id from articles a where a.id = ${row}.article_id and ${isPublic('a')} limit 1
   ) found`

const SOURCES: readonly Source[] = [
  {
    table: 'knowledge_bases',
    events: ['update', 'delete'],
    shown: ['name', 'public_slug', 'description', 'logo_url', 'primary_color', 'is_published', 'default_language'],
    select: (row, rows) => `select ${row}.id as knowledge_base_id, ${row}.org_id ${from(row, rows)} where true`,
  },
  {
    table: 'article_categories',
    events: ['insert', 'update', 'delete'],
    select: (row, rows) => `select ${row}.knowledge_base_id, ${row}.org_id ${from(row, rows)} where true`,
  },
  {
    table: 'articles',
    events: ['insert', 'update', 'delete'],
    shown: [
      ...['knowledge_base_id', 'category_id', 'slug', 'title_key', 'status', 'visibility', 'language'],
      ...['published_at', 'updated_at'],
    ],
    select: (row, rows) => `select ${row}.knowledge_base_id, ${row}.org_id ${from(row, rows)} where ${isPublic(row)}`,
  },
  ...['article_texts', 'article_relations'].map((table) => ({
    table,
    events: ['insert', 'update', 'delete'] as const,
    settings: 'set enable_seqscan = off',
    select: ofArticle,
  })),
]

function from(row: string, rows: string): string {
  return rows && `from ${rows} ${row}`
}

/** Transactions that change a knowledge base at the same time have different slots, so that they need not wait. */
const SLOTS = 16
/** Never the same again, not even in a database that lost its last transactions. */
const SQLITE_REVISION = { slot: '0', revision: 'hex(randomblob(6))' }
/** One per transaction: its further statements need not write it again. */
const POSTGRES_REVISION = {
  slot: `pg_backend_pid() % ${SLOTS}`,
  revision: `left(md5(pg_current_xact_id() || ' ' || now()), 12)`,
}

function toChange(engine: Engine, changed: string): string {
  const { slot, revision } = engine === 'sqlite' ? SQLITE_REVISION : POSTGRES_REVISION
  return `insert into knowledge_base_revisions (knowledge_base_id, slot, org_id, revision)
    select distinct knowledge_base_id, ${slot}, org_id, ${revision} from (${changed}) changed
    where true order by knowledge_base_id
    on conflict (knowledge_base_id, slot) do update set revision = excluded.revision
    where knowledge_base_revisions.revision <> excluded.revision`
}

/** On PostgreSQL, it runs once per statement for any number of new rows: an import or a restore has thousands. */
async function createTrigger(db: Kysely<unknown>, engine: Engine, source: Source, event: Event): Promise<void> {
  const { table, shown, settings, select } = source
  const name = `${table}_revision_${event}`
  const row = event === 'delete' ? 'old' : 'new'
  const perRow = event === 'update' ? `${select('old', '')} union ${select('new', '')}` : select(row, '')
  const of = event === 'update' && shown !== undefined ? ` of ${shown.join(', ')}` : ''
  const after = `create trigger ${name} after ${event}${of} on ${table}`
  if (engine === 'sqlite') {
    await sql.raw(`${after} begin ${toChange(engine, perRow)}; end`).execute(db)
  } else if (event === 'update') {
    await createFunction(db, name, toChange(engine, perRow), settings)
    await sql.raw(`${after} for each row execute function ${name}()`).execute(db)
  } else {
    await createFunction(db, name, toChange(engine, select('changed_row', 'changed_rows')), settings)
    const rows = `referencing ${row} table as changed_rows`
    await sql.raw(`${after} ${rows} for each statement execute function ${name}()`).execute(db)
  }
}

const createFunction = (db: Kysely<unknown>, name: string, statement: string, settings = '') =>
  sql
    .raw(
      `create function ${name}() returns trigger language plpgsql ${settings}
       as $$ begin ${statement}; return null; end $$`,
    )
    .execute(db)
