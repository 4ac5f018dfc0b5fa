import { MINUTE_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { conversationMails, REQUESTS, REQUESTS_OF_ADDRESS } from './mails.ts'
import { selectMessages } from './messages/message-queries.ts'
import { type StoredPart, toPreview } from './messages/stored-message.ts'
import { type ConversationRow, selectAvailability } from './queries.ts'

export type TeamMails = Pick<Mails, 'admits' | 'canSend' | 'toHolders'>

/** One mail is enough for a visitor who asks again. */
const MAILED_EVERY_MS = 10 * MINUTE_MS
/** Members with this scope may answer. */
const SCOPE = 'conversations.manage'
/** The question is usually the message before the last. */
const MESSAGES_MAX = 10

/** A visitor's request, or that of a program, which has no address. */
interface Request {
  orgId: OrgId
  /** The network address of the visitor. */
  address: string | null
  /** When the team last got a mail about the conversation. */
  mailedAt: string | null
}

const isDue = (mailedAt: string | null, now: Timestamp): boolean =>
  mailedAt === null || mailedAt <= timestamp(toMs(now) - MAILED_EVERY_MS)

/** Counts the mail against its limits. Before the transaction: see `Mails.admits`. */
export async function admitsTeamMail(
  mails: TeamMails,
  { orgId, address, mailedAt }: Request,
  now: Timestamp,
): Promise<boolean> {
  if (!mails.canSend || !isDue(mailedAt, now)) return false
  const mayVisitor = address === null || (await mails.admits(REQUESTS_OF_ADDRESS, `${orgId}:${address}`, toMs(now)))
  return mayVisitor && (await mails.admits(REQUESTS, orgId, toMs(now)))
}

/**
 * Tells those who may answer that a visitor waits. The caller has locked the conversation, so two requests at once cause one
 * mail. Returns the row with the time, if there was anybody to write to.
 */
export async function mailTeam(
  tx: Tx,
  orgId: OrgId,
  row: ConversationRow,
  { mails, actorId }: { mails: TeamMails; actorId: string | null },
  now: Timestamp,
): Promise<ConversationRow> {
  if (row.status !== 'agent_requested' || !isDue(row.team_mailed_at, now)) return row
  const chatbot = await selectAvailability(tx, orgId, row.chatbot_id)
  const values = {
    conversationId: row.id,
    chatbot: chatbot?.name ?? '',
    visitor: [row.contact_name, row.contact_email].filter(Boolean).join(', '),
    question: await lastQuestion(tx, orgId, row.id),
  }
  const subject = { orgId, subjectId: row.id }
  const holders = { scope: SCOPE, exceptUserId: actorId }
  const written = await mails.toHolders(tx, subject, holders, conversationMails.waiting, values, now)
  return written === 0 ? row : { ...row, team_mailed_at: now }
}

/** Empty if the visitor has written nothing yet. */
async function lastQuestion(tx: Tx, orgId: OrgId, id: string): Promise<string> {
  const messages = await selectMessages(tx, orgId, id, { after: undefined, order: 'desc' }, MESSAGES_MAX)
  const question = messages.find(({ role }) => role === 'user')
  return question === undefined ? '' : toPreview(question.parts as StoredPart[])
}
