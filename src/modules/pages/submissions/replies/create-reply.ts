import { type Timestamp, toMs } from '../../../../platform/clock/index.ts'
import { foldCase, type Tx } from '../../../../platform/db/index.ts'
import { ApiError } from '../../../../platform/errors/index.ts'
import type { Context } from '../../../../platform/http/index.ts'
import type { PublicUrlOf } from '../../../../platform/http/server/public-url.ts'
import { hashToken, newId, type OrgId } from '../../../../platform/ids/index.ts'
import { emit } from '../../../../platform/outbox/index.ts'
import { getOrganisation } from '../../../account/organisations/index.ts'
import type { Mails } from '../../../mail/mails/index.ts'
import type { SubmissionData } from '../../form/index.ts'
import { insertActivity } from '../activity-queries.ts'
import { addressIn } from '../answer-texts.ts'
import { REPLIES_MAX, type SubmissionReply, type SubmissionReplyCreate } from '../contract.ts'
import { submissionEvents } from '../events.ts'
import { REPLIES, REPLIES_TO_ADDRESS, submissionMails } from '../mails.ts'
import { countReply, type SubmissionRow } from '../queries.ts'
import { insertReceipts } from '../receipts/receipt-queries.ts'
import { receiptPath, receiptTitle } from '../receipts/title.ts'
import { newReceiptToken, toReceiptRow } from '../receipts/tokens.ts'
import { lockSubmission, requireSubmission, toSubmission } from '../stored-submission.ts'
import { toReply } from './replies.ts'
import { insertReply } from './reply-queries.ts'

export interface ReplySettings {
  mails: Pick<Mails, 'admits' | 'canSend' | 'toOutsider'>
  publicUrlOf: PublicUrlOf
}

/** A mail that may be sent about a reply. Its link has a token of its own: of the first one, only the hash is stored. */
interface AdmittedMail {
  email: string
  title: string
  token: string
  url: string
}

const PREVIEW_LENGTH_MAX = 500

/** `actorId` is the person who replies, or null for a program. */
export async function createReply(
  ctx: Context,
  id: string,
  { text }: SubmissionReplyCreate,
  actorId: string | null,
  settings: ReplySettings,
): Promise<SubmissionReply> {
  const { orgId, now } = ctx
  const mail = await admitMail(ctx, await requireSubmission(ctx.read, orgId, id), settings)
  return ctx.write(async (tx) => {
    // The lock keeps a reply from being added while the submission is erased, and makes the count exact.
    const row = await lockSubmission(tx, orgId, id)
    requireAnswerable(row)
    const mailed = mail !== undefined && (await mailReply(tx, orgId, row, mail, text, settings, now))
    const reply = { id: newId(), submission_id: id, author_id: actorId, text, mailed, created_at: now }
    await insertReply(tx, orgId, reply)
    await countReply(tx, orgId, id, now)
    const replied = { id: newId(), submission_id: id, type: 'replied' as const, from_value: null, to_value: null }
    await insertActivity(tx, orgId, [{ ...replied, actor_id: actorId, created_at: now }])
    const submission = toSubmission({ ...row, reply_count: row.reply_count + 1, updated_at: now })
    await emit(tx, orgId, submissionEvents, 'submission.replied', { ...submission, reply: toReply(reply) }, now)
    return toReply(reply)
  })
}

function requireAnswerable({ status, reply_count }: SubmissionRow): void {
  if (status === 'spam') {
    throw new ApiError('unprocessable', 'This submission is spam. Change its status before you reply.', {
      details: { field: 'status', value: status },
    })
  }
  if (reply_count >= REPLIES_MAX) {
    throw new ApiError('unprocessable', `A submission can have at most ${REPLIES_MAX} replies.`)
  }
}

/** Counts the mail against the limits of its address and of the organisation. Before the transaction: see `Mails.admits`. */
async function admitMail(
  { orgId, now, read }: Context,
  row: SubmissionRow,
  { mails, publicUrlOf }: ReplySettings,
): Promise<AdmittedMail | undefined> {
  const email = addressIn(row.data as SubmissionData)
  if (!mails.canSend || email === undefined || row.status === 'spam') return undefined
  if (!(await mails.admits(REPLIES_TO_ADDRESS, `${orgId}:${hashToken(foldCase(email))}`, toMs(now)))) return undefined
  if (!(await mails.admits(REPLIES, orgId, toMs(now)))) return undefined
  const token = newReceiptToken()
  const { name } = await getOrganisation(read, orgId)
  return { email, title: receiptTitle(row, name), token, url: (await publicUrlOf(orgId)) + receiptPath(token) }
}

/** Returns false if too many mails of the organisation are waiting. */
async function mailReply(
  tx: Tx,
  orgId: OrgId,
  { id, language }: SubmissionRow,
  { email, title, token, url }: AdmittedMail,
  text: string,
  { mails }: ReplySettings,
  now: Timestamp,
): Promise<boolean> {
  const values = { title, answer: beginningOf(text), url }
  const subject = { orgId, subjectId: id }
  if (!(await mails.toOutsider(tx, subject, { email, language }, submissionMails.reply, values, now))) return false
  await insertReceipts(tx, [toReceiptRow(orgId, id, token, now)])
  return true
}

const beginningOf = (text: string): string =>
  text.length <= PREVIEW_LENGTH_MAX ? text : `${text.slice(0, PREVIEW_LENGTH_MAX).toWellFormed()}…`
