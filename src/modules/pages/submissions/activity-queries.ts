import type { Position } from '../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, insertRows, olderThan, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('submission_events', 'org_id')
export type ActivityRow = Row<'submission_events', typeof COLUMNS>

export const insertActivity = (tx: Tx, orgId: OrgId, rows: readonly ActivityRow[]): Promise<void> =>
  insertRows(
    tx,
    'submission_events',
    rows.map((row) => ({ ...row, org_id: orgId })),
  )

/** Newest first. */
export const selectActivity = (
  db: Db,
  orgId: OrgId,
  submissionId: string,
  after: Position | undefined,
  limit: number,
): Promise<ActivityRow[]> =>
  db
    .selectFrom('submission_events')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('submission_id', '=', submissionId)
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Deletes some of the activity. Returns its times. */
export const deleteActivity = async (tx: Tx, orgId: OrgId, submissionId: string, limit: number): Promise<string[]> => {
  const some = tx
    .selectFrom('submission_events')
    .select('id')
    .where('org_id', '=', orgId)
    .where('submission_id', '=', submissionId)
    .limit(limit)
  const deleted = await tx
    .deleteFrom('submission_events')
    .where('org_id', '=', orgId)
    .where('id', 'in', some)
    .returning('created_at')
    .execute()
  return deleted.map(({ created_at }) => created_at)
}
