import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { pauseKeysOf } from '../api-keys/index.ts'
import { revokeInvitationsOf } from '../invitations/index.ts'
import { trustMails } from './mails.ts'

export type TrustMails = Pick<Mails, 'toOwners'>

/** More would make the mail hard to read. */
const NAMES_MAX = 20

/**
 * Ends what a person could come back by who has left an organisation or got a lower role: pending invitations, whose links
 * they may know, are revoked. Their API keys are paused: programs may need them, so an owner or admin decides.
 */
export async function withdrawTrust(
  tx: Tx,
  orgId: OrgId,
  { user_id, email }: { user_id: string; email: string },
  now: Timestamp,
  mails: TrustMails,
): Promise<void> {
  const invitations = await revokeInvitationsOf(tx, orgId, user_id, now)
  const apiKeys = await pauseKeysOf(tx, orgId, user_id, now)
  if (invitations.length + apiKeys.length === 0) return
  const values = { person: email, invitations: listed(invitations), apiKeys: listed(apiKeys) }
  await mails.toOwners(tx, orgId, trustMails.withdrawn, values, now)
}

const listed = (names: readonly string[]): string =>
  names.length <= NAMES_MAX ? names.join(', ') : `${names.slice(0, NAMES_MAX).join(', ')}, …`
