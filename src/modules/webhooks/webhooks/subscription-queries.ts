import { type Db, insertRows, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const insertSubscriptions = (tx: Tx, orgId: OrgId, endpointId: string, types: readonly string[]) =>
  insertRows(
    tx,
    'event_subscriptions',
    types.map((type) => ({ org_id: orgId, type, endpoint_id: endpointId })),
  )

export const deleteSubscriptions = async (tx: Tx, orgId: OrgId, endpointId: string): Promise<void> => {
  await tx.deleteFrom('event_subscriptions').where('org_id', '=', orgId).where('endpoint_id', '=', endpointId).execute()
}

export const selectSubscribedTypes = (db: Db, orgId: OrgId, types: readonly string[]): Promise<{ type: string }[]> =>
  db
    .selectFrom('event_subscriptions')
    .select('type')
    .distinct()
    .where('org_id', '=', orgId)
    .where('type', 'in', [...types])
    .execute()
