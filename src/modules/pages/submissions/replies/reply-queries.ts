import type { Position } from '../../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, insertRows, olderThan, type Row, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('submission_replies', 'org_id')
export type ReplyRow = Row<'submission_replies', typeof COLUMNS>

export const insertReply = (tx: Tx, orgId: OrgId, row: ReplyRow): Promise<void> =>
  insertRows(tx, 'submission_replies', [{ ...row, org_id: orgId }])

/** Newest first. */
export const selectReplies = (
  db: Db,
  orgId: OrgId,
  submissionId: string,
  after: Position | undefined,
  limit: number,
): Promise<ReplyRow[]> =>
  db
    .selectFrom('submission_replies')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('submission_id', '=', submissionId)
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** The replies to several submissions, oldest first. */
export const selectRepliesOf = (db: Db, orgId: OrgId, submissionIds: readonly string[]): Promise<ReplyRow[]> =>
  db
    .selectFrom('submission_replies')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('submission_id', 'in', [...submissionIds])
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** A submission has a limited number. */
export const deleteReplies = async (tx: Tx, orgId: OrgId, submissionId: string): Promise<void> => {
  await tx
    .deleteFrom('submission_replies')
    .where('org_id', '=', orgId)
    .where('submission_id', '=', submissionId)
    .execute()
}
