import { compiled, type Db, type Row, type Tx } from '../../../platform/db/index.ts'

export type TokenKind = Row<'oauth_tokens'>['kind']

const COLUMNS = ['grant_id', 'payload', 'consumed_at', 'expires_at'] as const
type TokenRow = Row<'oauth_tokens', typeof COLUMNS>

/** Everything that a request to the API needs to know about its token: one read. */
const byHash = compiled((db: Db, hash: string) =>
  db
    .selectFrom('oauth_tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'oauth_tokens.grant_id')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    .innerJoin('users', 'users.id', 'oauth_grants.user_id')
    .innerJoin('members', (join) =>
      join.onRef('members.org_id', '=', 'oauth_grants.org_id').onRef('members.user_id', '=', 'oauth_grants.user_id'),
    )
    .innerJoin('organisations', 'organisations.id', 'oauth_grants.org_id')
    .select(['oauth_tokens.kind', 'oauth_tokens.payload', 'oauth_tokens.expires_at'])
    .select(['oauth_grants.id', 'oauth_grants.org_id', 'oauth_grants.user_id', 'oauth_grants.last_used_at'])
    .select(['oauth_clients.id as client_id', 'oauth_clients.name', 'oauth_clients.logo_url'])
    .select(['users.email', 'users.first_name', 'users.last_name', 'users.deactivated_at'])
    .select(['members.role', 'organisations.rate_per_minute', 'organisations.rate_per_hour'])
    .where('oauth_tokens.hash', '=', hash),
)

export type AccessRow = Awaited<ReturnType<typeof byHash>>[number]

/** Takes no organisation, because the token determines it. Undefined if the person has left the organisation. */
export const selectAccess = async (db: Db, hash: string): Promise<AccessRow | undefined> => (await byHash(db, hash))[0]

export const selectToken = (db: Db, hash: string, kind: TokenKind): Promise<TokenRow | undefined> =>
  db.selectFrom('oauth_tokens').select(COLUMNS).where('hash', '=', hash).where('kind', '=', kind).executeTakeFirst()

export const insertToken = async (tx: Tx, row: Row<'oauth_tokens'>): Promise<void> => {
  await tx.insertInto('oauth_tokens').values(row).execute()
}

export const updatePayload = async (tx: Tx, hash: string, payload: object): Promise<void> => {
  await tx.updateTable('oauth_tokens').set({ payload }).where('hash', '=', hash).execute()
}

/** Returns whether it was unused. Of two requests at once, one gets false. */
export const updateConsumed = async (tx: Tx, hash: string, now: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('oauth_tokens')
    .set({ consumed_at: now })
    .where('hash', '=', hash)
    .where('consumed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const deleteToken = async (tx: Tx, hash: string): Promise<void> => {
  await tx.deleteFrom('oauth_tokens').where('hash', '=', hash).execute()
}

/** Deletes all but the newest tokens of a grant. */
export const deleteOlderTokens = async (tx: Tx, grantId: string, kind: TokenKind, kept: number): Promise<void> => {
  const oldest = tx
    .selectFrom('oauth_tokens')
    .select('created_at')
    .where('grant_id', '=', grantId)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .limit(1)
    .offset(kept)
  await tx
    .deleteFrom('oauth_tokens')
    .where('grant_id', '=', grantId)
    .where('kind', '=', kind)
    .where('created_at', '<=', oldest)
    .execute()
}
