import { type Kysely, sql } from 'kysely'
import { DAY_MS } from '../../src/platform/clock/index.ts'

const HISTORY_MS = 90 * DAY_MS
const ROWS_PER_STATEMENT = 100_000

/** A code that gets more scans than the others. */
export interface Popular {
  id: string
  /** Its share of all scans. */
  share: number
}

/**
 * Stores scans of the last 90 days, spread at random over an organisation's codes. The database generates the rows,
 * because there can be millions. The triggers stay on, so that the counters match.
 */
export async function fillScans<Tables>(
  kysely: Kysely<Tables>,
  isSqlite: boolean,
  orgId: string,
  rows: number,
  popular?: Popular,
): Promise<void> {
  // Safe only for benchmark data, which need not survive a power cut.
  const unsafe = isSqlite ? 'pragma synchronous = off' : 'set synchronous_commit = off'
  const insert = isSqlite ? insertIntoSqlite : insertIntoPostgres
  const startMs = Date.now() - HISTORY_MS
  const stepMs = HISTORY_MS / rows
  await kysely.connection().execute(async (connection) => {
    await sql.raw(unsafe).execute(connection)
    await sql.raw('create temporary table bench_codes (n integer primary key, id text)').execute(connection)
    await sql`insert into bench_codes
      select row_number() over () - 1, cast(id as text) from qr_codes where org_id = ${orgId}`.execute(connection)
    for (let from = 0; from < rows; from += ROWS_PER_STATEMENT) {
      const to = Math.min(rows, from + ROWS_PER_STATEMENT) - 1
      await insert(orgId, from, to, startMs, stepMs, popular).execute(connection)
    }
    await sql.raw('drop table bench_codes').execute(connection)
    // Maintenance that the engine would otherwise run during the measurement.
    const settle = isSqlite ? ['pragma wal_checkpoint(truncate)'] : ['vacuum analyze', 'checkpoint']
    for (const statement of settle) await sql.raw(statement).execute(connection)
  })
}

const COLUMNS = sql.raw(`(org_id, id, target_kind, target_id, scanned_at, is_bot, visitor, user_agent, device_type,
  device_os, device_browser, destination_type, destination_url)`)
const SAME = sql.raw(`'00c0ffee00c0ffee',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5',
  'mobile', 'iOS', 'Safari', 'url', 'https://acme.com/chairs/oak?utm_source=label'`)

type Insert = (
  orgId: string,
  from: number,
  to: number,
  startMs: number,
  stepMs: number,
  popular?: Popular,
) => ReturnType<typeof sql>

/** Ids are UUIDv7, as in the service: a timestamp and random bits. */
const insertIntoSqlite: Insert = (orgId, from, to, startMs, stepMs, popular) => sql`
  insert into scans ${COLUMNS}
  with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to}),
    moments (ms) as (select cast(${startMs} + i * ${stepMs} as integer) from n)
  select ${orgId}, format('%08x-%04x-7%03x-8%03x-%012x', ms >> 16, ms & 65535, abs(random() % 4096),
      abs(random() % 4096), abs(random() % 281474976710656)), 'qr_code',
    iif(abs(random() % 1000) < ${(popular?.share ?? 0) * 1000}, ${popular?.id ?? null},
      (select id from bench_codes where n = abs(random() % (select count(*) from bench_codes)))),
    strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') || '+00:00', 0, ${SAME}
  from moments`

const insertIntoPostgres: Insert = (orgId, from, to, startMs, stepMs, popular) => sql`
  insert into scans ${COLUMNS}
  select ${orgId}, (lpad(to_hex(ms >> 16), 8, '0') || '-' || lpad(to_hex(ms & 65535), 4, '0') || '-7'
      || lpad(to_hex(floor(random() * 4096)::int), 3, '0') || '-8' || lpad(to_hex(floor(random() * 4096)::int), 3, '0')
      || '-' || lpad(to_hex(floor(random() * 281474976710656)::bigint), 12, '0'))::uuid, 'qr_code',
    coalesce(case when random() < ${popular?.share ?? 0} then ${popular?.id ?? null} end, c.id)::uuid,
    to_timestamp(ms / 1000.0), false, ${SAME}
  from (select i, floor(${startMs}::float8 + i * ${stepMs}::float8)::bigint as ms,
      floor(random() * (select count(*) from bench_codes))::int as n
    from generate_series(${from}::int, ${to}::int) i) m join bench_codes c on c.n = m.n`
