import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { hashToken, type OrgId } from '../../../platform/ids/index.ts'
import { type CleanUpAfterGrant, createGrant } from '../connected-applications/index.ts'
import { listMemberships } from '../members/index.ts'
import { lockOrganisation } from '../organisations/index.ts'
import { requireSession } from '../sessions/index.ts'
import { lockUser } from '../users/index.ts'
import { selectClient, updateClientUsed } from './client-queries.ts'
import { describeRedirectUri, sourceOf } from './redirect-uri.ts'
import { selectToken, updateConsumed, updatePayload } from './token-queries.ts'

/** An authorisation that an application asks for, and that a person has to decide about. */
export interface AuthorizationRequest {
  clientId: string
  /** The application calls itself this. Nobody has verified it. */
  clientName: string
  /** Where the person goes afterwards, as they are shown it. */
  redirectHost: string
  /** The same, for the policy of the page that leads there. */
  redirectSource: string
  scopes: readonly string[]
}

/** What the library stores with a request, as far as we use it. */
interface Payload {
  params: { client_id: string; redirect_uri: string; scope: string }
}

/** Undefined if there is no such request, or if it has expired. */
export async function findRequest(db: Db, id: string, now: Timestamp): Promise<AuthorizationRequest | undefined> {
  const row = await selectToken(db, hashToken(id), 'request')
  if (row === undefined || row.expires_at <= now) return undefined
  const { client_id, redirect_uri, scope } = (row.payload as Payload).params
  const client = await selectClient(db, client_id)
  return (
    client && {
      clientId: client.id,
      clientName: client.name,
      redirectHost: describeRedirectUri(redirect_uri),
      redirectSource: sourceOf(redirect_uri),
      scopes: scope.split(' '),
    }
  )
}

/** Lets the application act for the person. Returns false if the person does not belong to the organisation. */
export async function allowRequest(
  tx: Tx,
  id: string,
  request: AuthorizationRequest,
  { id: sessionId, user_id: userId, org_id: orgId }: { id: string; user_id: string; org_id: OrgId },
  now: Timestamp,
  cleanUp: CleanUpAfterGrant,
): Promise<boolean> {
  // Somebody may be ending the session of the person at this moment, or their membership, with all their grants.
  await lockUser(tx, userId)
  await requireSession(tx, { id: sessionId, user_id: userId })
  await lockOrganisation(tx, orgId)
  const memberships = await listMemberships(tx, userId)
  if (!memberships.some(({ org_id }) => org_id === orgId)) return false
  await decide(tx, id, now, async () => {
    const grantId = await createGrant(tx, { orgId, userId, ...request }, now, cleanUp)
    await updateClientUsed(tx, request.clientId, now)
    return { login: { accountId: userId }, consent: { grantId }, select_account: {} }
  })
  return true
}

export const denyRequest = (tx: Tx, id: string, now: Timestamp): Promise<void> =>
  decide(tx, id, now, async () => ({
    error: 'access_denied',
    error_description: 'The person did not allow it.',
  }))

/** Stores a decision where the library finds it. Only the first one counts: people click twice. */
async function decide(tx: Tx, id: string, now: Timestamp, toResult: () => Promise<object>): Promise<void> {
  const hash = hashToken(id)
  if (!(await updateConsumed(tx, hash, now))) return
  const row = await selectToken(tx, hash, 'request')
  if (row !== undefined) await updatePayload(tx, hash, { ...(row.payload as Payload), result: await toResult() })
}
