import { sql } from 'kysely'
import { DAY_MS, timestamp } from '../../src/platform/clock/index.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { EVENT } from './service.ts'

/** Over so long they have gathered; a step apart from each other. */
const HISTORY_MS = 7 * DAY_MS
const ROWS_PER_STATEMENT = 100_000

export interface Heap {
  orgId: string
  endpointId: string
  /** Never tried; tried once, and not to be tried again before tomorrow; or over and done with. */
  kind: 'new' | 'retry' | 'delivered'
}

/** Deliveries of an endpoint. The database makes them itself, because there are to be a million. */
export async function fillDeliveries({ kysely, engine }: Database, heap: Heap, rows: number): Promise<void> {
  const isSqlite = engine === 'sqlite'
  // Only here: rows that a bench makes for itself need not survive a power cut.
  const unsafe = isSqlite ? 'pragma synchronous = off' : 'set synchronous_commit = off'
  const safe = isSqlite ? 'pragma synchronous = full' : 'reset synchronous_commit'
  // What the engine does by itself in time, and what a measurement should not wait for.
  const settle = isSqlite ? ['pragma wal_checkpoint(truncate)'] : ['vacuum analyze', 'checkpoint']
  const startMs = Date.now() - HISTORY_MS
  await kysely.connection().execute(async (connection) => {
    await sql.raw(unsafe).execute(connection)
    for (let from = 0; from < rows; from += ROWS_PER_STATEMENT) {
      const to = Math.min(rows, from + ROWS_PER_STATEMENT) - 1
      await (isSqlite ? insertIntoSqlite : insertIntoPostgres)(heap, from, to, startMs, HISTORY_MS / rows).execute(
        connection,
      )
    }
    for (const statement of [safe, ...settle]) await sql.raw(statement).execute(connection)
  })
}

const COLUMNS = sql.raw('(org_id, endpoint_id, id, event_id, type, status, attempt_count, next_attempt_at, created_at)')

type Insert = (heap: Heap, from: number, to: number, startMs: number, stepMs: number) => ReturnType<typeof sql>

const attemptsOf = ({ kind }: Heap): number => (kind === 'new' ? 0 : 1)
const statusOf = ({ kind }: Heap): string => (kind === 'delivered' ? 'delivered' : 'pending')
/** For those that were never tried it is the moment of their event. */
const nextAttempt = ({ kind }: Heap): string | null => (kind === 'new' ? null : timestamp(Date.now() + DAY_MS))

/** Their events are gone: what is sent of them, if anything is, is empty. */
const insertIntoSqlite: Insert = (heap, from, to, startMs, stepMs) => sql`
  insert into webhook_deliveries ${COLUMNS}
  with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to}),
    moments (ms, id) as (select cast(${startMs} + i * ${stepMs} as integer),
      format('-7%03x-8%03x-%012x', i & 4095, abs(random() % 4096), abs(random() % 281474976710656)) from n)
  select ${heap.orgId}, ${heap.endpointId}, format('%08x-%04x', ms >> 16, ms & 65535) || id,
    format('%08x-%04x', ms >> 16, ms & 65535) || id, ${EVENT}, ${statusOf(heap)}, ${attemptsOf(heap)},
    coalesce(${nextAttempt(heap)}, strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') || '+00:00'),
    strftime('%Y-%m-%dT%H:%M:%f', ms / 1000.0, 'unixepoch') || '+00:00'
  from moments`

const insertIntoPostgres: Insert = (heap, from, to, startMs, stepMs) => sql`
  insert into webhook_deliveries ${COLUMNS}
  select ${heap.orgId}::uuid, ${heap.endpointId}::uuid, id, id, ${EVENT}, ${statusOf(heap)}, ${attemptsOf(heap)}::int,
    coalesce(${nextAttempt(heap)}::timestamptz, to_timestamp(ms / 1000.0)), to_timestamp(ms / 1000.0)
  from (
    select ms, (lpad(to_hex(ms >> 16), 8, '0') || '-' || lpad(to_hex(ms & 65535), 4, '0') || '-7'
      || lpad(to_hex(i & 4095), 3, '0') || substr(gen_random_uuid()::text, 19))::uuid as id
    from (select i, floor(${startMs}::float8 + i * ${stepMs}::float8)::bigint as ms
      from generate_series(${from}::int, ${to}::int) i) moments
  ) made`
