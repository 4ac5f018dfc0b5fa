import type { CursorPage, CursorQuery, Position } from '../../../../platform/contract/pagination.ts'
import { type Context, cursorPage } from '../../../../platform/http/index.ts'
import type { SubmissionReply } from '../contract.ts'
import { requireSubmission } from '../stored-submission.ts'
import { type ReplyRow, selectReplies } from './reply-queries.ts'

export async function listReplies(
  ctx: Context,
  id: string,
  query: CursorQuery,
  after: Position | undefined,
): Promise<CursorPage<SubmissionReply>> {
  await requireSubmission(ctx.read, ctx.orgId, id)
  return cursorPage(query, (limit) => selectReplies(ctx.read, ctx.orgId, id, after, limit), toReply)
}

export const toReply = ({ id, submission_id, author_id, text, mailed, created_at }: ReplyRow): SubmissionReply => ({
  object: 'submission_reply',
  ...{ id, submission_id, author_id, text, mailed, created_at },
})
