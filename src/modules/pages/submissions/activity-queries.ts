import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, insertRows, olderThan, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** What happened to a submission after it was created. Not to be confused with events, which webhooks deliver. */
interface SubmissionEventsTable {
  id: string
  org_id: string
  submission_id: string
  type:
    | 'created'
    | 'status_changed'
    | 'priority_changed'
    | 'flagged'
    | 'unflagged'
    | 'assigned'
    | 'unassigned'
    | 'notes_updated'
  /** The user; null for visitors and API keys. */
  actor_id: string | null
  from_value: string | null
  to_value: string | null
  created_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    submission_events: SubmissionEventsTable
  }
}

const COLUMNS = ['id', 'submission_id', 'type', 'actor_id', 'from_value', 'to_value', 'created_at'] as const
export type ActivityRow = Pick<SubmissionEventsTable, (typeof COLUMNS)[number]>

export const insertActivity = (tx: Tx, orgId: OrgId, rows: readonly ActivityRow[]): Promise<void> =>
  insertRows(
    tx,
    'submission_events',
    [...COLUMNS, 'org_id'],
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
