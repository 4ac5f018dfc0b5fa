import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { StoredStatus } from './queries.ts'

/** A range of delivery IDs: `from` is included, `before` is not. */
export interface IdRange {
  from: string
  before: string
}

/** The delivery after the first `skip` deliveries; undefined if there are no more than `skip`. */
export const selectIdAfter = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  status: StoredStatus,
  { from, before }: IdRange,
  skip: number,
): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', status)
    .where('id', '>=', from)
    .where('id', '<', before)
    .orderBy('id')
    .limit(1)
    .offset(skip)
    .executeTakeFirst()

/** Returns how many deliveries it updated. */
export const updateDeliveriesDue = async (
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  status: StoredStatus,
  { from, before }: IdRange,
  now: string,
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', status)
    .where('id', '>=', from)
    .where('id', '<', before)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Must repeat the condition of the retry index literally, or the planner does not use the partial index. */
const isRetry = sql<SqlBool>`status = 'pending' and attempt_count > 0 and event_id is not null`

/** The index has the ID, too, so no row is read only to find out that it is not within the range. */
const isWithin = (eb: ExpressionBuilder<Tables, 'webhook_deliveries'>, range: IdRange | undefined) =>
  eb.and(range === undefined ? [] : [eb('id', '>=', range.from), eb('id', '<', range.before)])

/** The retry after the first `skip` retries that are due later than `now`; undefined if there are no more than `skip`. */
export const selectRetryAfter = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  range: IdRange | undefined,
  now: string,
  skip: number,
): Promise<{ next_attempt_at: string | null; id: string } | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['next_attempt_at', 'id'])
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where(isRetry)
    .where('next_attempt_at', '>', now)
    .where((eb) => isWithin(eb, range))
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(1)
    .offset(skip)
    .executeTakeFirst()

/** Updates the retries that are due later than `now`: all of them, or those that come before `before`. Returns how many. */
export const updateRetriesDue = async (
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  range: IdRange | undefined,
  before: { next_attempt_at: string | null; id: string } | undefined,
  now: string,
): Promise<number> => {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where(isRetry)
    .where('next_attempt_at', '>', now)
    .where((eb) => isWithin(eb, range))
    .$if(before !== undefined, (query) =>
      query.where(sql<SqlBool>`(next_attempt_at, id) < (${before?.next_attempt_at}, ${before?.id})`),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
