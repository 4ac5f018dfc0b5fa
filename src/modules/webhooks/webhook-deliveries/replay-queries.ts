import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { type Db, isSqlite, type Tables, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { StoredStatus } from './queries.ts'
import { type Replayed, updateEach } from './replay-each-queries.ts'

/** A range of delivery IDs: `from` is included, `before` is not. */
interface IdRange {
  from: string
  before: string
}

/** Makes the deliveries of a status within a range due, oldest first, up to `limit`. */
export async function updateDeliveriesDue(
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  status: StoredStatus,
  { from, before }: IdRange,
  now: string,
  limit: number,
): Promise<Replayed> {
  const statement = `update "webhook_deliveries" set "status" = 'pending', "next_attempt_at" = ?
    where "org_id" = ? and "endpoint_id" = ? and "id" = ? and "status" = ?`
  const select = selectIds(tx, orgId, endpointId, status, before)
  if (isSqlite(tx)) {
    const toValues = ({ id }: { id: string }) => [now, orgId, endpointId, id, status]
    return updateEach(tx, limit, (next, count) => select(next?.id ?? from, count), statement, toValues)
  }
  const [next] = await select(from, 1, limit)
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', status)
    .where('id', '>=', from)
    .where('id', '<', next?.id ?? before)
    .executeTakeFirst()
  return { updated: Number(numUpdatedRows), hasMore: next !== undefined }
}

const selectIds =
  (db: Db, orgId: OrgId, endpointId: string, status: StoredStatus, before: string) =>
  (from: string, limit: number, skip = 0): Promise<{ id: string }[]> =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('org_id', '=', orgId)
      .where('endpoint_id', '=', endpointId)
      .where('status', '=', status)
      .where('id', '>=', from)
      .where('id', '<', before)
      .orderBy('id')
      .limit(limit)
      .offset(skip)
      .execute()

/** Must repeat the condition of the retry index literally, or the planner does not use the partial index. */
const isRetry = sql<SqlBool>`status = 'pending' and attempt_count > 0 and event_id is not null`

/** The index has the ID, too, so no row is read only to find out that it is not within the range. */
const isWithin = (eb: ExpressionBuilder<Tables, 'webhook_deliveries'>, range: IdRange | undefined) =>
  eb.and(range === undefined ? [] : [eb('id', '>=', range.from), eb('id', '<', range.before)])

interface Retry {
  next_attempt_at: string | null
  id: string
}

const isBefore = ({ next_attempt_at, id }: Retry) => sql<SqlBool>`(next_attempt_at, id) < (${next_attempt_at}, ${id})`
const isFrom = ({ next_attempt_at, id }: Retry) => sql<SqlBool>`(next_attempt_at, id) >= (${next_attempt_at}, ${id})`

/** Makes the retries that are due later than `now` due, earliest first, up to `limit`. */
export async function updateRetriesDue(
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  range: IdRange | undefined,
  now: string,
  limit: number,
): Promise<Replayed> {
  const statement = `update "webhook_deliveries" set "next_attempt_at" = ? where "org_id" = ? and "endpoint_id" = ? and "id" = ?
    and "status" = 'pending' and "attempt_count" > 0 and "event_id" is not null and "next_attempt_at" > ?`
  const select = selectRetries(tx, orgId, endpointId, range, now)
  if (isSqlite(tx)) {
    const toValues = ({ id }: Retry) => [now, orgId, endpointId, id, now]
    return updateEach(tx, limit, select, statement, toValues)
  }
  const [next] = await select(undefined, 1, limit)
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where(isRetry)
    .where('next_attempt_at', '>', now)
    .where((eb) => isWithin(eb, range))
    .$if(next !== undefined, (query) => query.where(isBefore(next as Retry)))
    .executeTakeFirst()
  return { updated: Number(numUpdatedRows), hasMore: next !== undefined }
}

const selectRetries =
  (db: Db, orgId: OrgId, endpointId: string, range: IdRange | undefined, now: string) =>
  (from: Retry | undefined, limit: number, skip = 0): Promise<Retry[]> =>
    db
      .selectFrom('webhook_deliveries')
      .select(['next_attempt_at', 'id'])
      .where('org_id', '=', orgId)
      .where('endpoint_id', '=', endpointId)
      .where(isRetry)
      .where((eb) => (from === undefined ? eb('next_attempt_at', '>', now) : isFrom(from)))
      .where((eb) => isWithin(eb, range))
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit)
      .offset(skip)
      .execute()
