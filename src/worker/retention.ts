import { sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS, timestamp } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../platform/http/idempotency.ts'
import type { Logger } from '../platform/telemetry/logging.ts'

const INTERVAL_MS = 10 * MINUTE_MS
/** Small, so that no request waits long behind a deletion. */
const BATCH_ROWS = 500

/** How long one can look up what happened, and what was sent of it. */
const LOG_MS = 30 * DAY_MS

/** What is kept for how long, in which engines; in this order. */
const RULES = [
  {
    table: 'idempotent_answers',
    column: 'created_at',
    keepMs: IDEMPOTENCY_WINDOW_MS,
    engines: ['sqlite', 'postgres'],
  },
  // Used for a day of UTC; gone before the next one is over.
  { table: 'visitor_salts', column: 'created_at', keepMs: DAY_MS, engines: ['sqlite', 'postgres'] },
  { table: 'webhook_attempts', column: 'started_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  // Before the events, so that there is never a delivery without what it delivers.
  { table: 'webhook_deliveries', column: 'created_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  { table: 'events', column: 'created_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  { table: 'rate_windows', column: 'updated_at', keepMs: 2 * HOUR_MS, engines: ['postgres'] },
]

/** Deletes what is past its time, over all organisations, now and then. Answers a function that stops it. */
export function startRetention(database: Database, clock: () => number, log: Logger): () => Promise<void> {
  let running = Promise.resolve()
  const sweep = () => {
    running = deleteExpired(database, clock()).catch((error) => log.error({ err: error }, 'retention failed'))
  }
  const timer = setInterval(sweep, INTERVAL_MS)
  timer.unref()
  sweep()
  return () => {
    clearInterval(timer)
    return running
  }
}

export async function deleteExpired(database: Database, nowMs: number): Promise<void> {
  for (const { table, column, keepMs } of RULES.filter(({ engines }) => engines.includes(database.engine))) {
    for (;;) {
      const deleted = await deleteBatch(database, table, column, timestamp(nowMs - keepMs))
      if (deleted < BATCH_ROWS) break
    }
  }
}

/** Rows are named by where they stand (`rowid`, `ctid`): the quickest way that both engines have. */
async function deleteBatch(database: Database, table: string, column: string, before: string): Promise<number> {
  const row = sql.raw(database.engine === 'sqlite' ? 'rowid' : 'ctid')
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ${row} in (
      select ${row} from ${sql.table(table)} where ${sql.ref(column)} <= ${before} limit ${BATCH_ROWS}
    )`.execute(database.kysely)
  return Number(numAffectedRows)
}
