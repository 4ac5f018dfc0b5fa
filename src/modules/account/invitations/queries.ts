import { columnsExcept, type Db, insertRows, type Row, type Tx, whenTaken } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('invitations', 'org_id', 'email_folded', 'token_hash')
export type InvitationRow = Row<'invitations', typeof COLUMNS>

const pending = (db: Db, orgId: OrgId, now: string) =>
  db
    .selectFrom('invitations')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)

/** All of them, newest first: their number is limited. */
export const selectPending = (db: Db, orgId: OrgId, now: string): Promise<InvitationRow[]> =>
  pending(db, orgId, now).orderBy('created_at', 'desc').orderBy('id', 'desc').execute()

export const selectPendingById = (db: Db, orgId: OrgId, id: string, now: string): Promise<InvitationRow | undefined> =>
  pending(db, orgId, now).where('id', '=', id).executeTakeFirst()

/** Takes no organisation, because the token determines it. */
export const selectPendingByToken = (
  db: Db,
  tokenHash: string,
  now: string,
): Promise<(InvitationRow & { org_id: OrgId }) | undefined> =>
  db
    .selectFrom('invitations')
    .select([...COLUMNS, 'org_id'])
    .where('token_hash', '=', tokenHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()

export const insertInvitation = (
  tx: Tx,
  orgId: OrgId,
  row: InvitationRow & { email_folded: string; token_hash: string },
): Promise<void> =>
  insertRows(tx, 'invitations', [{ ...row, org_id: orgId }], whenTaken('invitations_org_email_key', 'email', row.email))

/** Their number is limited. */
export const selectPendingBy = (db: Db, orgId: OrgId, userId: string, now: string): Promise<InvitationRow[]> =>
  pending(db, orgId, now).where('created_by', '=', userId).orderBy('id').execute()

/** Returns whether it was pending. Of two transactions that settle the same invitation, one gets false. */
export const updateStatus = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  status: InvitationRow['status'],
  now: string,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('invitations')
    .set({ status, updated_at: now })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const updateExpired = async (tx: Tx, orgId: OrgId, now: string): Promise<void> => {
  await tx
    .updateTable('invitations')
    .set({ status: 'expired', updated_at: now })
    .where('org_id', '=', orgId)
    .where('status', '=', 'pending')
    .where('expires_at', '<=', now)
    .execute()
}
