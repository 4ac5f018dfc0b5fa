import { sql } from 'kysely'
import { DAY_MS, timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { EVENT } from './service.ts'

/** The events are spread evenly over this period. */
const HISTORY_MS = 7 * DAY_MS
const ROWS_PER_STATEMENT = 100_000

export interface DeliverySet {
  orgId: string
  endpointId: string
  /** `new`: no attempt yet. `retry`: one attempt, the next one is due tomorrow. `delivered`: finished. */
  kind: 'new' | 'retry' | 'delivered'
}

/** Stores deliveries of an endpoint. The database generates the rows, because there can be a million. */
export async function fillDeliveries({ kysely, engine }: Database, set: DeliverySet, rows: number): Promise<void> {
  const isSqlite = engine === 'sqlite'
  // Safe only for benchmark data, which need not survive a power cut.
  const unsafe = isSqlite ? 'pragma synchronous = off' : 'set synchronous_commit = off'
  const safe = isSqlite ? 'pragma synchronous = full' : 'reset synchronous_commit'
  // Maintenance that the engine would otherwise run during the measurement.
  const settle = isSqlite ? ['pragma wal_checkpoint(truncate)'] : ['vacuum analyze', 'checkpoint']
  const startMs = Date.now() - HISTORY_MS
  await kysely.connection().execute(async (connection) => {
    await sql.raw(unsafe).execute(connection)
    for (let from = 0; from < rows; from += ROWS_PER_STATEMENT) {
      const to = Math.min(rows, from + ROWS_PER_STATEMENT) - 1
      await (isSqlite ? insertIntoSqlite : insertIntoPostgres)(set, from, to, startMs, HISTORY_MS / rows).execute(
        connection,
      )
    }
    for (const statement of [safe, ...settle]) await sql.raw(statement).execute(connection)
  })
}

const COLUMNS = sql.raw('(org_id, endpoint_id, id, event_id, type, status, attempt_count, next_attempt_at, created_at)')

type Insert = (set: DeliverySet, from: number, to: number, startMs: number, stepMs: number) => ReturnType<typeof sql>

const attemptsOf = ({ kind }: DeliverySet): number => (kind === 'new' ? 0 : 1)
const statusOf = ({ kind }: DeliverySet): string => (kind === 'delivered' ? 'delivered' : 'pending')
/** A new delivery is due at the time of its event. */
const nextAttempt = ({ kind }: DeliverySet): string | null => (kind === 'new' ? null : timestamp(Date.now() + DAY_MS))

/** The events themselves are not stored, so a delivery that is sent has an empty body. */
const insertIntoSqlite: Insert = (set, from, to, startMs, stepMs) => sql`
  insert into webhook_deliveries ${COLUMNS}
  with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to}),
    moments (ms, id) as (select cast(${startMs} + i * ${stepMs} as integer),
      format('-7%03x-8%03x-%012x', i & 4095, abs(random() % 4096), abs(random() % 281474976710656)) from n)
  select ${set.orgId}, ${set.endpointId}, format('%08x-%04x', ms >> 16, ms & 65535) || id,
    format('%08x-%04x', ms >> 16, ms & 65535) || id, ${EVENT}, ${statusOf(set)}, ${attemptsOf(set)},
    coalesce(${nextAttempt(set)}, strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') || '+00:00'),
    strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') || '+00:00'
  from moments`

const insertIntoPostgres: Insert = (set, from, to, startMs, stepMs) => sql`
  insert into webhook_deliveries ${COLUMNS}
  select ${set.orgId}::uuid, ${set.endpointId}::uuid, id, id, ${EVENT}, ${statusOf(set)}, ${attemptsOf(set)}::int,
    coalesce(${nextAttempt(set)}::timestamptz, to_timestamp(ms / 1000.0)), to_timestamp(ms / 1000.0)
  from (
    select ms, (lpad(to_hex(ms >> 16), 8, '0') || '-' || lpad(to_hex(ms & 65535), 4, '0') || '-7'
      || lpad(to_hex(i & 4095), 3, '0') || substr(gen_random_uuid()::text, 19))::uuid as id
    from (select i, floor(${startMs}::float8 + i * ${stepMs}::float8)::bigint as ms
      from generate_series(${from}::int, ${to}::int) i) moments
  ) made`
