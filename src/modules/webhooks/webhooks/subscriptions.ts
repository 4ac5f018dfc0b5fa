import { announce, type Db, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { deleteSubscriptions, insertSubscriptions, selectSubscribedTypes } from './queries.ts'

/** Told to every process that remembers who wants to hear of what; the key is the organisation. */
export const SUBSCRIPTIONS_TOPIC = 'event_subscriptions'

/** From here on the endpoint hears of these types, and of no others. */
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

/** Those of the types that somebody in the organisation wants to hear of. */
export async function findSubscribedTypes(db: Db, orgId: OrgId, types: readonly string[]): Promise<Set<string>> {
  return new Set((await selectSubscribedTypes(db, orgId, types)).map(({ type }) => type))
}
