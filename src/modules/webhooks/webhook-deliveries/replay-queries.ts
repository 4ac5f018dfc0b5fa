import { type SqlBool, sql } from 'kysely'
import type { Db, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { StoredStatus } from './queries.ts'

/** The ids between which deliveries lie; the first is among them, the second is not. */
interface IdRange {
  from: string
  before: string
}

/** The first one that so many others come before; undefined when there are not that many. */
export const selectIdAfter = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  status: StoredStatus,
  { from, before }: IdRange,
  others: number,
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
    .offset(others)
    .executeTakeFirst()

/** Answers how many there were. */
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

/** Literally as the index of retries says it: both engines compare the texts. */
const isRetry = sql<SqlBool>`status = 'pending' and attempt_count > 0 and event_id is not null`

/** The first retry after this moment that so many others come before; undefined when there are not that many. */
export const selectRetryAfter = (
  db: Db,
  orgId: OrgId,
  endpointId: string,
  now: string,
  others: number,
): Promise<{ next_attempt_at: string | null; id: string } | undefined> =>
  db
    .selectFrom('webhook_deliveries')
    .select(['next_attempt_at', 'id'])
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where(isRetry)
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(1)
    .offset(others)
    .executeTakeFirst()

/** All retries after this moment, or those that come before another. */
export const updateRetriesDue = async (
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  before: { next_attempt_at: string | null; id: string } | undefined,
  now: string,
): Promise<void> => {
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now })
    .where('org_id', '=', orgId)
    .where('endpoint_id', '=', endpointId)
    .where(isRetry)
    .where('next_attempt_at', '>', now)
    .$if(before !== undefined, (query) =>
      query.where(sql<SqlBool>`(next_attempt_at, id) < (${before?.next_attempt_at}, ${before?.id})`),
    )
    .execute()
}
