import { columnsExcept, compiled, type Db, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const GRANT = columnsExcept('oauth_grants', 'last_used_at')
type GrantRow = Row<'oauth_grants', typeof GRANT>

const SHOWN = [
  'oauth_grants.id',
  'oauth_grants.user_id',
  'oauth_grants.client_id',
  'oauth_grants.scopes',
  'oauth_grants.last_used_at',
  'oauth_grants.expires_at',
  'oauth_grants.created_at',
  'oauth_clients.name',
  'oauth_clients.logo_url',
  'users.first_name',
  'users.last_name',
] as const

const shown = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('oauth_grants')
    .innerJoin('oauth_clients', 'oauth_clients.id', 'oauth_grants.client_id')
    // Not an inner join: SQLite would begin with the person and sort their grants.
    .leftJoin('users', 'users.id', 'oauth_grants.user_id')
    .select(SHOWN)
    .where('oauth_grants.org_id', '=', orgId)

const byId = compiled((db: Db, orgId: OrgId, id: string) => shown(db, orgId).where('oauth_grants.id', '=', id))

export type ShownGrantRow = Awaited<ReturnType<typeof byId>>[number]

export const selectShownGrant = async (db: Db, orgId: OrgId, id: string): Promise<ShownGrantRow | undefined> =>
  (await byId(db, orgId, id))[0]

/** Newest first. A null person selects those of everybody in the organisation. */
export const selectShownGrants = (
  db: Db,
  orgId: OrgId,
  userId: string | null,
  limit: number,
  offset: number,
): Promise<ShownGrantRow[]> =>
  shown(db, orgId)
    .$if(userId !== null, (query) => query.where('oauth_grants.user_id', '=', userId as string))
    .orderBy('oauth_grants.created_at', 'desc')
    .orderBy('oauth_grants.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

/** Takes no organisation, because the grant determines it. */
export const selectGrant = (db: Db, id: string): Promise<GrantRow | undefined> =>
  db.selectFrom('oauth_grants').select(GRANT).where('id', '=', id).executeTakeFirst()

/** Reads all organisations: the caller is a background job. */
export const selectExpiredGrants = (db: Db, now: string, limit: number) =>
  db.selectFrom('oauth_grants').select(['id', 'org_id']).where('expires_at', '<=', now).limit(limit).execute()

/** Their number is limited. The newest first. */
export const selectGrantIds = async (db: Db, orgId: OrgId, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('oauth_grants')
    .select('id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id }) => id)
}

/** Whether the person lets the application act for them in any of their organisations. */
export const selectAllowed = async (db: Db, userId: string, clientId: string): Promise<boolean> => {
  const found = await db
    .selectFrom('members')
    .innerJoin('oauth_grants', (join) =>
      join.onRef('oauth_grants.org_id', '=', 'members.org_id').onRef('oauth_grants.user_id', '=', 'members.user_id'),
    )
    .select('oauth_grants.id')
    .where('members.user_id', '=', userId)
    .where('oauth_grants.client_id', '=', clientId)
    .executeTakeFirst()
  return found !== undefined
}

export const insertGrant = async (tx: Tx, row: Row<'oauth_grants'>): Promise<void> => {
  await tx.insertInto('oauth_grants').values(row).execute()
}

/** Only to a later time. */
export const updateExpiry = async (tx: Tx, id: string, expiresAt: string): Promise<void> => {
  await tx
    .updateTable('oauth_grants')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '<', expiresAt)
    .execute()
}

/** Only if the stored time is older than `dueBefore`: several instances may report the same use. */
export const updateLastUsed = (tx: Tx, orgId: OrgId, id: string, usedAt: string, dueBefore: string) =>
  tx
    .updateTable('oauth_grants')
    .set({ last_used_at: usedAt })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', dueBefore)]))
    .execute()

/** Its tokens are deleted with it. */
export const deleteGrant = async (tx: Tx, orgId: OrgId, id: string): Promise<void> => {
  await tx.deleteFrom('oauth_grants').where('org_id', '=', orgId).where('id', '=', id).execute()
}
