import { CompiledQuery, sql } from 'kysely'
import { columnsOf, EachOf, isSqlite, runWithoutResult, type Tx } from '../../../platform/db/index.ts'

/** In this order, a scan is an array of values. Columns are only ever added at the end. */
export const SCAN_COLUMNS = columnsOf('scans')

const NAMES = SCAN_COLUMNS.map((name) => `"${name}"`).join(', ')

/** PostgreSQL knows the types of a row by its names, and an array has none. All others are texts. */
const POSTGRES_TYPES: Partial<Record<(typeof SCAN_COLUMNS)[number], string>> = {
  org_id: 'uuid',
  id: 'uuid',
  target_id: 'uuid',
  scanned_at: 'timestamptz',
  is_bot: 'boolean',
  destination_id: 'uuid',
  query_params: 'jsonb',
  gs1: 'jsonb',
  group_id: 'uuid',
  object_id: 'uuid',
  rules_version: 'integer',
  destination_version: 'integer',
}

/** Nothing comes back to an organisation that is erased in the meantime: on PostgreSQL, its deletion waits for us. */
const ON_SQLITE = `insert into "scans" (${NAMES}) select ${SCAN_COLUMNS.map((_, n) => `?${n + 1}`).join(', ')}
  where exists (select 1 from organisations where id = ?1) on conflict do nothing`

const ON_POSTGRES = `with present as (
    select id from organisations
    where id in (select (scan->>0)::uuid from jsonb_array_elements($1::jsonb) scan) for key share)
  insert into "scans" (${NAMES})
  select ${SCAN_COLUMNS.map((name, n) => {
    const type = POSTGRES_TYPES[name]
    return type === undefined ? `scan->>${n}` : `(scan->>${n})::${type}`
  }).join(', ')}
  from jsonb_array_elements($1::jsonb) scan
  where (scan->>0)::uuid in (select id from present)
  order by scan->>0, scan->>1
  on conflict do nothing`

/**
 * On PostgreSQL, a trigger does this for all rows of a statement. On SQLite it would run for every row, so it leaves out rows
 * with `rules_version`.
 */
const TALLY = {
  statement: `update scan_totals set total_scans = total_scans + ?2,
    last_scanned_at = max(coalesce(last_scanned_at, ''), ?3) where target_id = ?1`,
  by: [SCAN_COLUMNS.indexOf('target_id'), SCAN_COLUMNS.indexOf('object_id')],
  latest: SCAN_COLUMNS.indexOf('scanned_at'),
  unless: SCAN_COLUMNS.indexOf('is_bot'),
}

const toQuery = (tx: Tx, json: string, ending = '') =>
  isSqlite(tx)
    ? CompiledQuery.raw(ON_SQLITE + ending, [new EachOf(json, { tally: TALLY })])
    : CompiledQuery.raw(ON_POSTGRES + ending, [json])

/** Stores and counts the scans that were not stored before. They are a JSON text of arrays of values. */
export const insertScans = (tx: Tx, json: string): Promise<void> => runWithoutResult(tx, toQuery(tx, json))

/** Returns the ids of those that were not stored before. */
export async function insertNewScans(tx: Tx, json: string): Promise<Set<string>> {
  const { rows } = await tx.executeQuery(toQuery(tx, json, ' returning "id"'))
  return new Set((rows as { id: string }[]).map(({ id }) => id))
}

/** After a restore. On PostgreSQL, the trigger has counted all of them already. */
export async function recountScans(tx: Tx): Promise<void> {
  if (!isSqlite(tx)) return
  const imported = sql`coalesce((select imported_scans from qr_codes where id = scan_totals.target_id), 0)`
  await sql`update scan_totals set total_scans = ${imported} + counted.scans, last_scanned_at = counted.latest
    from (select id, count(*) as scans, max(scanned_at) as latest from (
        select target_id as id, scanned_at from scans where not is_bot
        union all select object_id, scanned_at from scans where not is_bot and object_id <> target_id)
      group by id) counted
    where counted.id = scan_totals.target_id`.execute(tx)
}
