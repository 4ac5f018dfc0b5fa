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
