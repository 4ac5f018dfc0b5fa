/** How much waits to be sent, across all organisations, for metrics. */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

export interface Backlog {
  /** Deliveries that wait for their first attempt. */
  new: number
  retry: number
  /** Deliveries to endpoints that are not active. */
  held: number
  /** Deliveries of large batches that are not created yet. */
  notCreated: number
  /** When the oldest event happened that waits for its first attempt; null if none does. */
  oldestNew: string | null
}

/** Limits the count of an endpoint, and of batches, so that a long outage does not slow down the metrics. */
const COUNTED_MAX = sql.lit(100_000)

/** Must repeat the index conditions literally, or the planner does not use the partial indexes. */
const WAITING = sql`d.org_id = e.org_id and d.endpoint_id = e.id and d.status = 'pending' and d.event_id is not null`
const IS_NEW = sql`${WAITING} and d.attempt_count = 0`
const IS_RETRY = sql`${WAITING} and d.attempt_count > 0`

const count = (condition: typeof WAITING) =>
  sql`(select count(*) from (select 1 from webhook_deliveries d where ${condition} limit ${COUNTED_MAX}) counted)`

/** Reads only what waits, endpoint by endpoint, and never the deliveries of the past. */
export async function selectBacklog(db: Db): Promise<Backlog> {
  const { rows } = await sql<{ is_active: boolean | number; new: number; retry: number; oldest: string | null }>`
    select is_active, sum(new) as new, sum(retry) as retry, min(oldest) as oldest from (
      select e.is_active, ${count(IS_NEW)} as new, ${count(IS_RETRY)} as retry,
        (select d.created_at from webhook_deliveries d where ${IS_NEW} order by d.id limit 1) as oldest
      from webhook_endpoints e
    ) endpoints group by is_active`.execute(db)
  const batches = await sql<{ waiting: number | null }>`
    select sum(event_count) as waiting from (
      select event_count from event_fan_outs limit ${COUNTED_MAX}
    ) batches`.execute(db)
  const active = rows.find(({ is_active }) => Boolean(is_active))
  const inactive = rows.find(({ is_active }) => !is_active)
  return {
    new: Number(active?.new ?? 0),
    retry: Number(active?.retry ?? 0),
    held: Number(inactive?.new ?? 0) + Number(inactive?.retry ?? 0),
    notCreated: Number(batches.rows[0]?.waiting ?? 0),
    oldestNew: active?.oldest ?? null,
  }
}
