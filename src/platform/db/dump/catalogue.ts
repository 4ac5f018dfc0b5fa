import { sql } from 'kysely'
import type { Db, Engine } from '../types.ts'

export interface DumpColumn {
  name: string
  /** Whether the column holds JSON values instead of text. */
  json: boolean
  nullable: boolean
}

/** A table that is part of a backup. */
export interface DumpTable {
  name: string
  columns: DumpColumn[]
  /** The primary key, by which rows are read in batches. */
  key: string[]
}

/** Tables that a backup leaves out, each with the reason. Modules add theirs (`main/tables-left-out.ts`). */
export type TablesLeftOut = Readonly<Record<string, string>>

const PLATFORM_TABLES_LEFT_OUT: TablesLeftOut = {
  migrations: 'the backup lists its migrations, and the new database has its own',
  migrations_lock: 'belongs to the database, not to the data',
  schema_steps: 'the same as migrations',
  row_totals: 'triggers count the rows again during a restore',
  rate_windows: 'request counts of the last day, on PostgreSQL only',
}

interface CatalogueRow {
  table_name: string
  column_name: string
  is_json: boolean | number
  nullable: boolean | number
  key_position: number | null
}

/** Leaves out virtual tables and their shadows: a full-text index is rebuilt from its table. */
const SQLITE = sql<CatalogueRow>`
  select m.name as table_name, c.name as column_name, c.type = 'jsontext' as is_json, c."notnull" = 0 as nullable,
    nullif(c.pk, 0) as key_position
  from sqlite_master m
  join pragma_table_list l on l.schema = 'main' and l.name = m.name and l.type = 'table'
  join pragma_table_xinfo(m.name) c on c.hidden = 0
  where m.name not like 'sqlite\\_%' escape '\\'
  order by m.rowid, c.cid`

/** Leaves out unlogged tables, which PostgreSQL itself empties after a crash. */
const POSTGRES = sql<CatalogueRow>`
  select c.relname::text as table_name, a.attname::text as column_name, t.typname in ('json', 'jsonb') as is_json,
    not a.attnotnull as nullable, array_position(i.indkey::int2[], a.attnum) as key_position
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  join pg_type t on t.oid = a.atttypid
  left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p'
  order by c.oid, a.attnum`

/** Lists the tables of a backup in the order of their creation. */
export async function listTables(db: Db, engine: Engine, leftOut: TablesLeftOut): Promise<DumpTable[]> {
  const excluded = { ...PLATFORM_TABLES_LEFT_OUT, ...leftOut }
  const { rows } = await (engine === 'sqlite' ? SQLITE : POSTGRES).execute(db)
  const byTable = Map.groupBy(
    rows.filter(({ table_name }) => !(table_name in excluded)),
    ({ table_name }) => table_name,
  )
  return [...byTable].map(([name, columns]) => toTable(name, columns))
}

function toTable(name: string, rows: CatalogueRow[]): DumpTable {
  const key = rows
    .filter(({ key_position }) => key_position !== null)
    .sort((a, b) => Number(a.key_position) - Number(b.key_position))
    .map(({ column_name }) => column_name)
  if (key.length === 0) throw new Error(`${name} has no primary key, so it cannot be read in batches`)
  const columns = rows.map(({ column_name, is_json, nullable }) => ({
    name: column_name,
    json: Boolean(is_json),
    nullable: Boolean(nullable),
  }))
  return { name, columns, key }
}
