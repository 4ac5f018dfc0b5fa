import { MINUTE_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { foldCase, type Tx } from '../../../platform/db/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { hashToken, type OrgId } from '../../../platform/ids/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { conversationMails, REPLIES, REPLIES_TO_ADDRESS } from './mails.ts'
import { type StoredPart, toPreview } from './messages/stored-message.ts'
import { type ConversationRow, selectChatAddress } from './queries.ts'
import { addToken, newToken } from './tokens.ts'

export interface VisitorMailSettings {
  mails: Pick<Mails, 'admits' | 'canSend' | 'toOutsider'>
  /** The address that chats of the organisation begin with. */
  chatUrl: string
}

/** A visitor whose page was open within this time sees the message there. */
const AWAY_MS = MINUTE_MS
/** One mail is enough for several messages. */
const MAILED_EVERY_MS = 10 * MINUTE_MS

/** Whether a visitor gets a mail about a message. */
function isMailDue({ contact_email, visitor_seen_at, visitor_mailed_at }: ConversationRow, now: Timestamp): boolean {
  const since = (ms: number) => timestamp(toMs(now) - ms)
  if (contact_email === null) return false
  if (visitor_seen_at !== null && visitor_seen_at > since(AWAY_MS)) return false
  return visitor_mailed_at === null || visitor_mailed_at <= since(MAILED_EVERY_MS)
}

/** Counts the mail against the limits of its address and of the organisation. Before the transaction: see `Mails.admits`. */
export async function admitsMail(
  { orgId, now }: Context,
  row: ConversationRow,
  { mails }: VisitorMailSettings,
): Promise<boolean> {
  if (!mails.canSend || row.contact_email === null || !isMailDue(row, now)) return false
  const address = `${orgId}:${hashToken(foldCase(row.contact_email))}`
  return (await mails.admits(REPLIES_TO_ADDRESS, address, toMs(now))) && (await mails.admits(REPLIES, orgId, toMs(now)))
}

/** Tells the visitor about a message, with a link that continues the conversation once. Returns the row with the time. */
export async function mailVisitor(
  tx: Tx,
  orgId: OrgId,
  row: ConversationRow,
  parts: readonly StoredPart[],
  { mails, chatUrl }: VisitorMailSettings,
  now: Timestamp,
): Promise<ConversationRow> {
  if (row.contact_email === null || !isMailDue(row, now)) return row
  const slug = await selectChatAddress(tx, orgId, row.chatbot_id)
  if (slug === undefined) return row
  const token = newToken()
  const to = { email: row.contact_email, language: row.language }
  const values = { answer: toPreview(parts), url: `${chatUrl}/c/${slug}?resume=${token}` }
  const subject = { orgId, subjectId: row.id }
  if (!(await mails.toOutsider(tx, subject, to, conversationMails.reply, values, now))) return row
  await addToken(tx, orgId, row.id, 'resume', token, now)
  return { ...row, visitor_mailed_at: now }
}
