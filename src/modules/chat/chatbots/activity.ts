import { MINUTE_MS, type Timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectLastActiveAt, updateCounters } from './queries.ts'

/** Part of the transaction that stores a new conversation. */
export const noteConversation = (tx: Tx, orgId: OrgId, chatbotId: string, now: Timestamp): Promise<void> =>
  updateCounters(tx, orgId, chatbotId, 1, now)

/**
 * Part of the transaction that stores a message of a visitor. It writes once a minute, so that conversations do not wait
 * for each other.
 */
export async function noteMessage(tx: Tx, orgId: OrgId, chatbotId: string, now: Timestamp): Promise<void> {
  const last = await selectLastActiveAt(tx, orgId, chatbotId)
  if (last === undefined || (last !== null && toMs(now) - toMs(last) < MINUTE_MS)) return
  await updateCounters(tx, orgId, chatbotId, 0, now)
}
