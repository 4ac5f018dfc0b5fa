import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { insertTombstone } from '../../../platform/db/tombstones.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { emit, redactEvents } from '../../../platform/outbox/index.ts'
import { deleteAssets, removeAssetReferences } from '../../assets/assets/index.ts'
import { dropMailsAbout } from '../../mail/mails/index.ts'
import type { SubmissionData } from '../form/index.ts'
import { deleteActivity } from './activity-queries.ts'
import { submissionEvents } from './events.ts'
import { filesIn } from './files.ts'
import { eraseRow, type SubmissionRow } from './queries.ts'
import { deleteReceipts } from './receipts/receipt-queries.ts'
import { deleteReplies } from './replies/reply-queries.ts'
import { lockSubmission } from './stored-submission.ts'

/** Small, so that erasing a submission with a long history does not block requests for long. */
const BATCH_ROWS = 200

/** Forgets what the receivers of these events responded, which may quote them. */
export type ForgetResponses = (tx: Tx, orgId: OrgId, eventIds: readonly string[]) => Promise<void>

/**
 * Removes the content of a submission from everywhere. Its number stays, so that the numbers of the page have no gaps. A
 * long history takes several transactions, of which the last removes the submission itself.
 */
export async function eraseSubmission(ctx: Context, id: string, forgetResponses: ForgetResponses): Promise<void> {
  while (!(await ctx.write((tx) => erasePart(tx, ctx, id, forgetResponses))));
}

/** Returns whether the submission is erased. */
async function erasePart(tx: Tx, ctx: Context, id: string, forgetResponses: ForgetResponses): Promise<boolean> {
  const { orgId, now } = ctx
  const row = await lockSubmission(tx, orgId, id)
  const times = await deleteActivity(tx, orgId, id, BATCH_ROWS)
  const about = {
    ids: [id],
    types: ['page.submission.created', 'submission.updated', 'submission.replied'],
    times: [...new Set([row.created_at, ...times])],
  }
  await forgetResponses(tx, orgId, await redactEvents(tx, orgId, about, withoutContent))
  if (times.length === BATCH_ROWS) return false
  await deleteReplies(tx, orgId, id)
  await deleteReceipts(tx, orgId, id)
  await eraseRow(tx, orgId, row, now)
  await eraseFiles(tx, orgId, row, now)
  await dropMailsAbout(tx, orgId, id)
  await insertTombstone(tx, orgId, 'submission', id, now)
  const deleted = { object: 'submission', id, deleted: true as const, deleted_at: now }
  await emit(tx, orgId, submissionEvents, 'submission.deleted', deleted, now)
  return true
}

/** Deletes files at once, instead of a day later, unless somebody else has sent the same file. */
async function eraseFiles(tx: Tx, orgId: OrgId, { id, data }: SubmissionRow, now: Timestamp): Promise<void> {
  const files = filesIn(data as SubmissionData)
  if (files.length === 0) return
  await removeAssetReferences(tx, orgId, 'submission', [id], now)
  await deleteAssets(
    tx,
    orgId,
    files.map(({ file_id }) => file_id),
    now,
    { withUploads: true },
  )
}

/** What is left still has the shape of the event. */
function withoutContent(payload: Record<string, unknown>): Record<string, unknown> {
  const { changes, reply } = payload as { changes?: Record<string, unknown>; reply?: Record<string, unknown> }
  const emptied = { ...payload, data: {}, metadata: {}, notes: null, ...(reply && { reply: { ...reply, text: '' } }) }
  if (changes?.notes === undefined) return emptied
  return { ...emptied, changes: { ...changes, notes: { from: null, to: null, omitted: true } } }
}
