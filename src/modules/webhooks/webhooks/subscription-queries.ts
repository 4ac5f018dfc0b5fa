import { type Db, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Written by one statement, because a large transaction replaces subscriptions when it is committed, and not piece by piece. */
export const insertSubscriptions = async (
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  types: readonly string[],
): Promise<void> => {
  if (types.length === 0) return
  const rows = types.map((type) => ({ org_id: orgId, type, endpoint_id: endpointId }))
  await runWithoutResult(tx, tx.insertInto('event_subscriptions').values(rows))
}

export const deleteSubscriptions = async (tx: Tx, orgId: OrgId, endpointId: string): Promise<void> => {
  const subscriptions = tx.deleteFrom('event_subscriptions').where('org_id', '=', orgId)
  await runWithoutResult(tx, subscriptions.where('endpoint_id', '=', endpointId))
}

export const selectSubscribedTypes = (db: Db, orgId: OrgId, types: readonly string[]): Promise<{ type: string }[]> =>
  db
    .selectFrom('event_subscriptions')
    .select('type')
    .distinct()
    .where('org_id', '=', orgId)
    .where('type', 'in', [...types])
    .execute()
