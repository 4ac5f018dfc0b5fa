/** Large batches of events, whose deliveries are created after their transaction. */
import { sql } from 'kysely'
import { type Db, isSqlite, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/**
 * Jumps from one organisation to the next, so that the cost does not depend on how many batches wait. Leaves out
 * organisations that have no endpoints any more: retention deletes their rows.
 */
export const selectFanOutOrganisations = async (db: Db): Promise<OrgId[]> => {
  const { rows } = await sql<{ org_id: OrgId }>`
    with recursive waiting (org_id) as (
      select (select org_id from event_fan_outs order by org_id limit 1)
      union all
      select (select f.org_id from event_fan_outs f where f.org_id > waiting.org_id order by f.org_id limit 1)
      from waiting where waiting.org_id is not null
    )
    select org_id from waiting
    where (select w.id from webhook_endpoints w where w.org_id = waiting.org_id limit 1) is not null`.execute(db)
  return rows.map(({ org_id }) => org_id)
}

/** The last of the oldest rows that together have at most `limit` deliveries, or else the first row. */
async function selectLast(db: Db, orgId: OrgId, limit: number) {
  const rows = await db
    .selectFrom('event_fan_outs')
    .select(['batch_id', 'endpoint_id', 'event_count'])
    .where('org_id', '=', orgId)
    .orderBy('batch_id')
    .orderBy('endpoint_id')
    .limit(limit)
    .execute()
  let last = rows[0]
  let total = 0
  for (const row of rows) {
    total += row.event_count
    if (total > limit) break
    last = row
  }
  return last
}

const COLUMNS = sql.raw('org_id, endpoint_id, id, event_id, type, status, attempt_count, next_attempt_at, created_at')

/** Creates up to `limit` deliveries, or those of one row. Skips endpoints that were deleted in the meantime. */
export async function createDeliveries(tx: Tx, orgId: OrgId, limit: number): Promise<void> {
  const last = await selectLast(tx, orgId, limit)
  if (last === undefined) return
  const taken = sql`org_id = ${orgId} and (batch_id, endpoint_id) <= (${last.batch_id}, ${last.endpoint_id})`
  const withEvents = sql`
    join webhook_endpoints w on w.org_id = f.org_id and w.id = f.endpoint_id
    join events e on e.org_id = f.org_id and e.batch_id = f.batch_id`
  if (isSqlite(tx)) {
    const deliver = sql`
      insert into webhook_deliveries (${COLUMNS})
      select f.org_id, f.endpoint_id, substr(e.id, 1, 24) || lower(hex(randomblob(6))),
        e.id, f.type, 'pending', 0, f.created_at, f.created_at
      from (select * from event_fan_outs where ${taken}) f ${withEvents}`
    await runWithoutResult(tx, deliver)
    await runWithoutResult(tx, sql`delete from event_fan_outs where ${taken}`)
    return
  }
  // One statement, so that no row that another transaction adds in the meantime is deleted without its deliveries.
  await sql`
    with f as (delete from event_fan_outs where ${taken} returning *)
    insert into webhook_deliveries (${COLUMNS})
    select f.org_id, f.endpoint_id, (substr(e.id::text, 1, 24) || substr(gen_random_uuid()::text, 25))::uuid,
      e.id, f.type, 'pending', 0, f.created_at, f.created_at
    from f ${withEvents}`.execute(tx)
}
