import { endExpiredGrants } from '../modules/account/connected-applications/index.ts'
import { forgetUnusedClients } from '../modules/account/oauth/index.ts'
import { deleteEndpointsOfGrant } from '../modules/webhooks/webhooks/index.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, timestamp } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import { IDEMPOTENCY_WINDOW_MS } from '../platform/http/pipeline/idempotency.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import { deleteRowsBefore } from './retention-queries.ts'

const INTERVAL_MS = 10 * MINUTE_MS
/** Small, so that a deletion does not block requests for long. */
const BATCH_ROWS = 500

/** How long events, deliveries and attempts can be looked up. */
const LOG_MS = 30 * DAY_MS

/** A day longer than a change can be undone, so that an undo that has begun finds all of it. */
const JOB_MS = 31 * DAY_MS

/** How long unanswered questions are kept after somebody last asked them: a season, and the same season a year later. */
const QUESTION_MS = 400 * DAY_MS

/** How long each table keeps its rows. Applied in this order. */
const rules = (auditLogMs: number) => [
  {
    table: 'idempotent_answers',
    column: 'created_at',
    keepMs: IDEMPOTENCY_WINDOW_MS,
    engines: ['sqlite', 'postgres'],
  },
  // A salt is used for one day (UTC) and must be gone before the next day ends.
  { table: 'visitor_salts', column: 'created_at', keepMs: DAY_MS, engines: ['sqlite', 'postgres'] },
  { table: 'webhook_attempts', column: 'started_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  // The order ensures that a delivery never lacks its payload: none is created for an event that is deleted below.
  { table: 'event_fan_outs', column: 'created_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  { table: 'webhook_deliveries', column: 'created_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  { table: 'events', column: 'created_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  // They only say where to find events.
  { table: 'conversation_changes', column: 'created_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  { table: 'conversation_tokens', column: 'expires_at', keepMs: 0, engines: ['sqlite', 'postgres'] },
  // A visitor's browser keeps a form that was not sent for a day.
  { table: 'submission_keys', column: 'created_at', keepMs: 2 * DAY_MS, engines: ['sqlite', 'postgres'] },
  // The count remains.
  { table: 'page_views', column: 'viewed_at', keepMs: LOG_MS, engines: ['sqlite', 'postgres'] },
  { table: 'question_groups', column: 'last_asked_at', keepMs: QUESTION_MS, engines: ['sqlite', 'postgres'] },
  { table: 'answer_votes', column: 'created_at', keepMs: QUESTION_MS, engines: ['sqlite', 'postgres'] },
  // Visitors have another hash on the next day. Their votes are counted in `question_groups`.
  { table: 'article_votes', column: 'created_at', keepMs: DAY_MS, engines: ['sqlite', 'postgres'] },
  { table: 'sessions', column: 'expires_at', keepMs: 0, engines: ['sqlite', 'postgres'] },
  { table: 'one_time_links', column: 'expires_at', keepMs: 0, engines: ['sqlite', 'postgres'] },
  { table: 'used_challenges', column: 'expires_at', keepMs: 0, engines: ['sqlite', 'postgres'] },
  { table: 'audit_log', column: 'created_at', keepMs: auditLogMs, engines: ['sqlite', 'postgres'] },
  { table: 'known_addresses', column: 'created_at', keepMs: auditLogMs, engines: ['sqlite', 'postgres'] },
  // The worker deletes them earlier, unless the installation has no SMTP server any more.
  { table: 'mails', column: 'expires_at', keepMs: 0, engines: ['sqlite', 'postgres'] },
  { table: 'oauth_tokens', column: 'expires_at', keepMs: 0, engines: ['sqlite', 'postgres'] },
  // The order ensures that no item lacks its job: none is younger than the end of it.
  { table: 'job_items', column: 'created_at', keepMs: JOB_MS, engines: ['sqlite', 'postgres'] },
  { table: 'jobs', column: 'finished_at', keepMs: JOB_MS, engines: ['sqlite', 'postgres'] },
  { table: 'rate_windows', column: 'updated_at', keepMs: 26 * HOUR_MS, engines: ['postgres'] },
]

/** Deletes expired rows of all organisations, now and every 10 minutes. Returns a function that stops it. */
export function startRetention(
  database: Database,
  auditLogDays: number,
  clock: () => number,
  log: Logger,
): () => Promise<void> {
  let running = Promise.resolve()
  const sweep = () => {
    running = deleteExpired(database, clock(), auditLogDays).catch((error) =>
      log.error({ err: error }, 'retention failed'),
    )
  }
  const timer = setInterval(sweep, INTERVAL_MS)
  timer.unref()
  sweep()
  return () => {
    clearInterval(timer)
    return running
  }
}

export async function deleteExpired(database: Database, nowMs: number, auditLogDays: number): Promise<void> {
  const due = rules(auditLogDays * DAY_MS)
  for (const { table, column, keepMs } of due.filter(({ engines }) => engines.includes(database.engine))) {
    for (;;) {
      const deleted = await deleteRowsBefore(database, table, column, timestamp(nowMs - keepMs), BATCH_ROWS)
      if (deleted < BATCH_ROWS) break
    }
  }
  await endExpiredGrants(database, timestamp(nowMs), deleteEndpointsOfGrant)
  await forgetUnusedClients(database, nowMs)
}
