import { createGrant } from '../../modules/account/connected-applications/index.ts'
import { registerClient } from '../../modules/account/oauth/clients.ts'
import { accessTokens } from '../../modules/account/oauth/token.ts'
import { insertToken } from '../../modules/account/oauth/token-queries.ts'
import { HOUR_MS, timestamp, toMs } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { hashToken, type OrgId } from '../../platform/ids/index.ts'

interface Person {
  orgId: OrgId
  userId: string
}

/** Connects a new application for a person, without the pages on which they decide. */
export async function createAccessToken(
  database: Database,
  person: Person,
  scopes: readonly string[],
  nowMs: number,
): Promise<{ token: string; grantId: string }> {
  const now = timestamp(nowMs)
  const client = await registerClient(database, { redirect_uris: ['https://acme.example/callback'] }, now)
  if ('error' in client) throw new Error(client.error_description)
  const token = accessTokens.create()
  const grantId = await database.write(async (tx) => {
    const grantId = await createGrant(tx, { ...person, clientId: client.client_id, scopes }, now, async () => {})
    await insertToken(tx, {
      hash: hashToken(token),
      kind: 'access',
      grant_id: grantId,
      payload: { scope: scopes.join(' ') },
      consumed_at: null,
      expires_at: timestamp(toMs(now) + HOUR_MS),
      created_at: now,
    })
    return grantId
  })
  return { token, grantId }
}
