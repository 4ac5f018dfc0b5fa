import { announce, type Db, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { deleteSubscriptions, insertSubscriptions, selectSubscribedTypes } from './subscription-queries.ts'

/** Announced when subscriptions change, so that processes drop what they cached. The key is the organisation. */
export const SUBSCRIPTIONS_TOPIC = 'event_subscriptions'

export async function replaceSubscriptions(
  tx: Tx,
  orgId: OrgId,
  endpointId: string,
  types: readonly string[],
): Promise<void> {
  await deleteSubscriptions(tx, orgId, endpointId)
  await insertSubscriptions(tx, orgId, endpointId, types)
  await announce(tx, SUBSCRIPTIONS_TOPIC, [orgId])
}

/** Returns those of `types` that at least one endpoint of the organisation subscribes to. */
export async function findSubscribedTypes(db: Db, orgId: OrgId, types: readonly string[]): Promise<Set<string>> {
  return new Set((await selectSubscribedTypes(db, orgId, types)).map(({ type }) => type))
}
