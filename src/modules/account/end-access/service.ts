import type { Actor } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { type CleanUpAfterGrant, endGrantsEverywhere } from '../connected-applications/index.ts'
import { dropLinks } from '../one-time-links/index.ts'
import { endOtherSessions } from '../sessions/index.ts'

/**
 * Ends all that somebody could still use who must not get into an account any more: its sessions, links and connected
 * applications. The caller has locked the account.
 */
export async function endAccess(
  tx: Tx,
  userId: string,
  actor: Actor,
  now: Timestamp,
  cleanUp: CleanUpAfterGrant,
): Promise<void> {
  await endOtherSessions(tx, userId, null)
  await dropLinks(tx, userId)
  await endGrantsEverywhere(tx, userId, actor, now, cleanUp)
}
