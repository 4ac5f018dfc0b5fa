import { sql } from 'kysely'
import type { Database, Db, Engine } from './types.ts'

/** The database checks of `waymark doctor`. They never write. */

export interface EngineReport {
  version: string
  durability: { setting: string; value: string; safe: boolean }[]
}

export async function describeEngine({ engine, kysely }: Database): Promise<EngineReport> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ version: string; journal: string; synchronous: number }>`
      select sqlite_version() as version, journal_mode as journal, synchronous
      from pragma_journal_mode, pragma_synchronous`.execute(kysely)
    const { version = '', journal = '', synchronous = 0 } = rows[0] ?? {}
    return {
      version: `SQLite ${version}`,
      durability: [
        { setting: 'journal_mode', value: journal, safe: journal === 'wal' },
        {
          setting: 'synchronous',
          value: synchronous >= 2 ? 'full' : String(synchronous),
          safe: synchronous >= 2,
        },
      ],
    }
  }
  const { rows } = await sql<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('server_version', 'fsync', 'full_page_writes', 'synchronous_commit') order by name`.execute(kysely)
  return {
    version: `PostgreSQL ${rows.find(({ name }) => name === 'server_version')?.setting ?? ''}`,
    durability: rows
      .filter(({ name }) => name !== 'server_version')
      .map(({ name, setting }) => ({ setting: name, value: setting, safe: setting !== 'off' })),
  }
}

/** The time of the database server, in milliseconds since 1970. The embedded database has none of its own. */
export async function readServerClock({ engine, kysely }: Database): Promise<number | undefined> {
  if (engine === 'sqlite') return undefined
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::double precision as ms`.execute(kysely)
  return rows[0]?.ms
}

const PROBLEMS_MAX = 10

/** Returns the problems that the engine reports; empty if there are none. */
export async function findDamage(db: Db, engine: Engine): Promise<string[]> {
  if (engine === 'sqlite') {
    const { rows: pages } = await sql<{ quick_check: string }>`
      pragma quick_check(${sql.lit(PROBLEMS_MAX)})`.execute(db)
    const { rows: orphans } = await sql<{ table: string; parent: string }>`
      select distinct "table", parent from pragma_foreign_key_check limit ${sql.lit(PROBLEMS_MAX)}`.execute(db)
    return [
      ...pages.map(({ quick_check }) => quick_check).filter((problem) => problem !== 'ok'),
      ...orphans.map(({ table, parent }) => `${table} has rows that refer to missing rows of ${parent}`),
    ]
  }
  const { rows } = await sql<{ problem: string }>`
    select 'the index ' || indexrelid::regclass || ' is not valid' as problem
      from pg_index join pg_class c on c.oid = indexrelid
      where c.relnamespace = current_schema()::regnamespace and not (indisvalid and indisready)
    union all
    select 'the constraint ' || conname || ' of ' || conrelid::regclass || ' was never validated'
      from pg_constraint where connamespace = current_schema()::regnamespace and not convalidated
    limit ${sql.lit(PROBLEMS_MAX)}`.execute(db)
  return rows.map(({ problem }) => problem)
}

/** Returns the tables whose maintained totals differ from a recount, and the number of affected organisations. */
export async function findWrongTotals(db: Db, engine: Engine): Promise<{ table: string; organisations: number }[]> {
  const wrong: { table: string; organisations: number }[] = []
  for (const table of await listCountedTables(db, engine)) {
    const { rows } = await sql<{ organisations: number }>`
      select count(*) as organisations
      from (select org_id, count(*) as counted from ${sql.table(table)} group by org_id) c
      full join (
        select org_id, sum(total) as total from row_totals where table_name = ${table} group by org_id having sum(total) <> 0
      ) t
        on t.org_id = c.org_id
      where counted is distinct from total`.execute(db)
    const organisations = rows[0]?.organisations ?? 0
    if (organisations > 0) wrong.push({ table, organisations })
  }
  return wrong
}

/** Finds the tables by the triggers that count their rows. */
async function listCountedTables(db: Db, engine: Engine): Promise<string[]> {
  const triggers =
    engine === 'sqlite'
      ? sql<{ name: string }>`
          select tbl_name as name from sqlite_master where type = 'trigger' and name = tbl_name || '_total_insert'`
      : sql<{ name: string }>`
          select c.relname::text as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
          where c.relnamespace = current_schema()::regnamespace and t.tgname = c.relname || '_total_insert'`
  const { rows } = await triggers.execute(db)
  return rows.map(({ name }) => name).sort()
}
