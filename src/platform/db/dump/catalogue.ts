import { sql } from 'kysely'
import type { Db, Engine } from '../types.ts'

export interface DumpColumn {
  name: string
  /** Holds a JSON value, which is not the same as the text that looks like it. */
  json: boolean
  nullable: boolean
}

/** A table whose rows travel with a backup. */
export interface DumpTable {
  name: string
  columns: DumpColumn[]
  /** The primary key: the order in which rows are read, and where the next batch goes on. */
  key: string[]
}

/** What stays behind, each with the reason why it may. */
const LEFT_OUT: Record<string, string> = {
  migrations: 'the file names its steps, and the new database has its own',
  migrations_lock: 'belongs to the database, not to the data',
  row_totals: 'triggers count the rows again as they are restored',
  scan_totals: 'triggers count the scans again as they are restored',
  visitor_salts: 'each is for one day, and then forgotten for good',
  delivery_leases: 'each is for the seconds in which a process sends',
  article_search_texts: 'articles are indexed again once they are restored',
  article_search_words: 'the same',
  article_search_misspellings: 'the same',
  rate_windows: 'an hour of request counts, on PostgreSQL only',
}

interface CatalogueRow {
  table_name: string
  column_name: string
  is_json: boolean | number
  nullable: boolean | number
  key_position: number | null
}

/** Only real tables: a full-text index and its like are made from them. In the order of their creation. */
const SQLITE = sql<CatalogueRow>`
  select m.name as table_name, c.name as column_name, c.type = 'jsontext' as is_json, c."notnull" = 0 as nullable,
    nullif(c.pk, 0) as key_position
  from sqlite_master m
  join pragma_table_list l on l.schema = 'main' and l.name = m.name and l.type = 'table'
  join pragma_table_xinfo(m.name) c on c.hidden = 0
  where m.name not like 'sqlite\\_%' escape '\\'
  order by m.rowid, c.cid`

/** Only logged tables: what PostgreSQL itself empties after a crash is not worth keeping. */
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

export async function listTables(db: Db, engine: Engine): Promise<DumpTable[]> {
  const { rows } = await (engine === 'sqlite' ? SQLITE : POSTGRES).execute(db)
  const byTable = Map.groupBy(
    rows.filter(({ table_name }) => !(table_name in LEFT_OUT)),
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
