import type { Timestamp } from '../../../platform/clock/index.ts'
import type { CursorPage, CursorQuery, Position } from '../../../platform/contract/pagination.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { type ActivityRow, selectActivity } from './activity-queries.ts'
import type { ActivityType, SubmissionEvent } from './contract.ts'
import type { SubmissionRow } from './queries.ts'
import { requireSubmission } from './stored-submission.ts'

export async function listActivity(
  ctx: Context,
  id: string,
  query: CursorQuery,
  after: Position | undefined,
): Promise<CursorPage<SubmissionEvent>> {
  const submission = await requireSubmission(ctx.read, ctx.orgId, id)
  const created = toCreated(submission)
  const select = async (limit: number) => {
    if (after?.id === created.id) return []
    const rows = await selectActivity(ctx.read, ctx.orgId, id, after, limit)
    return rows.length < limit ? [...rows, created] : rows
  }
  return cursorPage(query, select, toEvent)
}

/** The oldest activity. Every submission has it, so it is not stored. */
const toCreated = ({ id, created_at }: SubmissionRow): ActivityRow => ({
  id,
  submission_id: id,
  type: 'created',
  actor_id: null,
  from_value: null,
  to_value: null,
  created_at,
})

/** One row for each field that a person or program has changed. Notes are not repeated: they may quote the visitor. */
export function toActivity(
  before: SubmissionRow,
  after: SubmissionRow,
  actorId: string | null,
  now: Timestamp,
): ActivityRow[] {
  const rows: ActivityRow[] = []
  const add = (type: ActivityType, from: string | null, to: string | null) =>
    rows.push({
      id: newId(),
      submission_id: after.id,
      type,
      actor_id: actorId,
      from_value: from,
      to_value: to,
      created_at: now,
    })
  if (before.status !== after.status) add('status_changed', before.status, after.status)
  if (before.priority !== after.priority) add('priority_changed', before.priority, after.priority)
  if (before.flagged !== after.flagged) add(after.flagged ? 'flagged' : 'unflagged', null, null)
  if (before.assignee_id !== after.assignee_id) {
    add(after.assignee_id === null ? 'unassigned' : 'assigned', before.assignee_id, after.assignee_id)
  }
  if (before.notes !== after.notes) add('notes_updated', null, null)
  return rows
}

const toEvent = ({
  id,
  submission_id,
  type,
  actor_id,
  from_value,
  to_value,
  created_at,
}: ActivityRow): SubmissionEvent => ({
  object: 'submission_event',
  id,
  submission_id,
  type,
  actor_id,
  from: from_value,
  to: to_value,
  created_at,
})
