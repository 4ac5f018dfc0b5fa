import type { Db, Row, Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const selectRole = async (db: Db, orgId: OrgId, userId: string): Promise<Row<'members'>['role'] | undefined> => {
  const member = db.selectFrom('members').select('role').where('org_id', '=', orgId).where('user_id', '=', userId)
  return (await member.executeTakeFirst())?.role
}

export const selectKeyState = (
  tx: Tx,
  orgId: OrgId,
  id: string,
): Promise<Pick<Row<'api_keys'>, 'created_by' | 'paused_at' | 'revoked_at'> | undefined> =>
  tx
    .selectFrom('api_keys')
    .select(['created_by', 'paused_at', 'revoked_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()

/** What a key may do at this moment. */
export const selectKeyRights = (db: Db, orgId: OrgId, id: string) =>
  db
    .selectFrom('api_keys')
    .select(['scopes', 'paused_at', 'revoked_at', 'expires_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()

/** What a person may do at this moment. */
export const selectMemberRights = (db: Db, orgId: OrgId, userId: string) =>
  db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(['members.role', 'users.deactivated_at'])
    .where('members.org_id', '=', orgId)
    .where('members.user_id', '=', userId)
    .executeTakeFirst()

/** What an application may do at this moment, as far as its person may. */
export const selectGrantRights = (db: Db, orgId: OrgId, id: string) =>
  db
    .selectFrom('oauth_grants')
    .select(['user_id', 'scopes', 'expires_at'])
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
