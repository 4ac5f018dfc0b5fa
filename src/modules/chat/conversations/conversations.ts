import { hash } from 'node:crypto'
import { SECOND_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Language } from '../../../platform/contract/languages.ts'
import { type Db, lockRow, type Tx } from '../../../platform/db/index.ts'
import { hashToken, newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import type { Credits } from '../../account/credits/index.ts'
import type { ScannedThing } from '../../codes/scanned-things/index.ts'
import type { Answer } from '../answering/index.ts'
import { recordUnanswered } from '../questions/index.ts'
import { announceSignal } from './announcements.ts'
import { changeConversation, nextTime } from './change.ts'
import { fieldsAfter, findTransition, MAY_WRITE } from './lifecycle.ts'
import { toAnswerMessage } from './messages/answer-message.ts'
import { selectAnswerTo, selectByKey, selectMessage, selectMessages } from './messages/message-queries.ts'
import { type NewMessage, type StoredPart, toMessage, toText } from './messages/stored-message.ts'
import { keepFiles, toFilePart } from './messages/visitor-files.ts'
import { noticesOf } from './notices.ts'
import {
  type ConversationRow,
  deleteToken,
  selectByToken,
  selectConversation,
  updateRead,
  updateSeen,
} from './queries.ts'
import {
  ConversationEnded,
  ConversationGone,
  type StartedConversation,
  type StoredConversation,
  type StoredMessage,
  toFirstRow,
  toStored,
  type VisitorFile,
} from './stored.ts'
import { admitsTeamMail, mailTeam, type TeamMails } from './team-mail.ts'
import { addToken, keepToken, newToken } from './tokens.ts'

interface ConversationServices {
  /** The address of the API, for the files in messages. */
  appUrl: string
  credits: Credits
  mails: TeamMails
}

/** The chatbot that a visitor writes to. */
interface Bot {
  id: string
  orgId: OrgId
}

interface Start {
  bot: Bot
  scanned: ScannedThing | null
  scanId: string | null
  language: Language
  now: Timestamp
}

interface VisitorMessage {
  text: string
  files: readonly VisitorFile[]
  /** Chosen by the visitor's browser: the same message, sent again, has the same key. */
  messageKey: string | null
}

const SEEN_EVERY_MS = 20 * SECOND_MS

/** The visitor's side of conversations. Every change is announced, and its events are in the same transaction. */
export class Conversations {
  readonly #services: ConversationServices

  constructor(services: ConversationServices) {
    this.#services = services
  }

  /** Stores nothing yet. Use the result with `addVisitorMessage` or `requestAgent`, whose transaction stores it. */
  startConversation({ bot, scanned, scanId, language, now }: Start): StartedConversation {
    const idOf = (kind: ScannedThing['kind']) => (scanned?.kind === kind ? scanned.id : null)
    return {
      id: newIdAt(toMs(now)),
      orgId: bot.orgId,
      chatbotId: bot.id,
      status: 'bot_active',
      language,
      contactEmail: null,
      contactName: null,
      teamMailedAt: null,
      qrCodeId: idOf('qr_code'),
      productId: idOf('product'),
      objectId: idOf('object'),
      agentReadAt: null,
      visitorReadAt: null,
      createdAt: now,
      token: newToken(),
      scanId,
    }
  }

  /** The conversation with this chatbot that the token belongs to. */
  async findByToken(db: Db, bot: Bot, token: string, now: Timestamp): Promise<StoredConversation | undefined> {
    const found = await selectByToken(db, bot.orgId, hashToken(token))
    if (found === undefined || found.purpose !== 'visitor') return undefined
    return found.chatbot_id === bot.id && found.expires_at > now ? toStored(bot.orgId, found) : undefined
  }

  /** Exchanges the token of a mailed link, which works once, for a token of the visitor. */
  async redeemResume(
    tx: Tx,
    bot: Bot,
    resumeToken: string,
    now: Timestamp,
  ): Promise<{ conversation: StoredConversation; token: string } | undefined> {
    const found = await selectByToken(tx, bot.orgId, hashToken(resumeToken))
    if (found === undefined || found.purpose !== 'resume') return undefined
    if (found.chatbot_id !== bot.id || found.expires_at <= now) return undefined
    if ((await deleteToken(tx, bot.orgId, hashToken(resumeToken))) === undefined) return undefined
    const token = newToken()
    await addToken(tx, bot.orgId, found.id, 'visitor', token, now)
    return { conversation: toStored(bot.orgId, found), token }
  }

  /** A repeated `messageKey` returns the stored message. Throws the errors of `stored.ts`. */
  async addVisitorMessage(
    tx: Tx,
    conversation: StoredConversation | StartedConversation,
    { text, files, messageKey }: VisitorMessage,
    now: Timestamp,
  ): Promise<StoredMessage> {
    const { id, orgId } = conversation
    const { appUrl } = this.#services
    const before = await this.#lock(tx, conversation)
    const key = messageKey === null ? undefined : hash('sha256', messageKey, 'base64url')
    const repeated = before !== null && key !== undefined ? await selectByKey(tx, orgId, id, key) : undefined
    if (repeated !== undefined) return toMessage(repeated, appUrl)
    const row = before ?? toFirstRow(conversation as StartedConversation, now)
    if (!MAY_WRITE.visitor.includes(row.status)) throw new ConversationEnded()
    if (files.length > 0) await keepFiles(tx, orgId, id, files)
    const message: NewMessage = {
      role: 'user',
      metadata: {},
      parts: [...(text === '' ? [] : [toText(text)]), ...files.map(toFilePart)],
      ...(key !== undefined && { message_key: key }),
    }
    // Who writes has seen what was written before.
    const after = await this.#touched(tx, conversation, before, row, now)
    const { messages } = await changeConversation(tx, orgId, { before, after, messages: [message] }, appUrl)
    return messages[0] as StoredMessage
  }

  /**
   * Stores an answer to a visitor and charges its credits: both or, with `insufficient_credits`, neither. The same question is
   * answered once: a repetition returns the first answer. `no longer wanted` if a person has been asked for in the meantime, or the
   * conversation was erased.
   */
  async storeAnswer(
    tx: Tx,
    conversation: StoredConversation,
    answer: Answer,
    questionMessageId: string,
    now: Timestamp,
  ): Promise<StoredMessage | 'no longer wanted'> {
    const { id, orgId } = conversation
    const { appUrl, credits } = this.#services
    await lockRow(tx, orgId, 'conversations', id)
    const before = await selectConversation(tx, orgId, id)
    if (before === undefined) return 'no longer wanted'
    const repeated = await selectAnswerTo(tx, orgId, id, questionMessageId)
    if (repeated !== undefined) return toMessage(repeated, appUrl)
    const question = await selectMessage(tx, orgId, id, questionMessageId)
    if (question === undefined || !MAY_WRITE.chatbot.includes(before.status)) return 'no longer wanted'
    const after = { ...before, changed_at: nextTime(before, now) }
    const price = await credits.priceOf(tx, orgId, answer.credits)
    const message = { ...toAnswerMessage({ ...answer, credits: price }), answer_to: questionMessageId }
    const { messages } = await changeConversation(tx, orgId, { before, after, messages: [message] }, appUrl)
    const [stored] = messages as [StoredMessage]
    if (!answer.isAnswered && !answer.isLimited) {
      await recordUnanswered(tx, {
        orgId,
        chatbotId: before.chatbot_id,
        conversationId: id,
        messageId: questionMessageId,
        text: textOf(question.parts as StoredPart[]),
        language: answer.language,
        now,
      })
    }
    await credits.spend(tx, orgId, price, { messageId: stored.id, asker: 'visitor' }, now)
    return stored
  }

  /**
   * Counts a mail to those who may answer against its limits. Call it before the transaction that asks for a person.
   * `address` is that of the visitor's network; the conversation is undefined if another one begins.
   */
  async admitsTeamMail(
    { orgId }: Bot,
    conversation: StoredConversation | undefined,
    address: string,
    now: Timestamp,
  ): Promise<boolean> {
    // Somebody answers already.
    if (conversation?.status === 'open') return false
    const mailedAt = conversation?.teamMailedAt ?? null
    return admitsTeamMail(this.#services.mails, { orgId, address, mailedAt }, now)
  }

  /**
   * Asks for a person, and tells those who may answer by mail. Outside the office hours it also stores the away message, in
   * one of the `accepted` languages. Asking again changes only the contact details, and tells the team once more if it had
   * time to react. Throws `ConversationEnded` or `ConversationGone`.
   */
  async requestAgent(
    tx: Tx,
    conversation: StoredConversation | StartedConversation,
    contact: { contact_email?: string; contact_name?: string },
    now: Timestamp,
    { accepted, mayMail = false }: { accepted?: string; mayMail?: boolean } = {},
  ): Promise<StoredConversation> {
    const { orgId } = conversation
    const { appUrl, mails } = this.#services
    const before = await this.#lock(tx, conversation)
    const row = before ?? toFirstRow(conversation as StartedConversation, now)
    if (!MAY_WRITE.visitor.includes(row.status)) throw new ConversationEnded()
    const touched = await this.#touched(tx, conversation, before, { ...row, ...contact }, now)
    const transition = findTransition(row.status, 'agent_requested', 'visitor')
    const changed_at = touched.changed_at as Timestamp
    const after = { ...touched, ...(transition && fieldsAfter(transition, changed_at)) }
    const messages = transition ? await noticesOf(tx, orgId, transition, after, now, accepted) : []
    const told = mayMail ? await mailTeam(tx, orgId, after, { mails, actorId: null }, now) : after
    const stored = await changeConversation(tx, orgId, { before, after: told, messages }, appUrl)
    return toStored(orgId, stored.row)
  }

  /** Oldest first. `position` is the id of the last message that is known, or null. */
  async listMessagesAfter(
    db: Db,
    { orgId, id }: StoredConversation,
    position: string | null,
    limit: number,
  ): Promise<StoredMessage[]> {
    const rows = await selectMessages(db, orgId, id, { after: position ?? undefined, order: 'asc' }, limit)
    return rows.map((row) => toMessage(row, this.#services.appUrl))
  }

  /** The newest messages, oldest first, for a page that is opened. */
  async listLastMessages(db: Db, { orgId, id }: StoredConversation, limit: number): Promise<StoredMessage[]> {
    const rows = await selectMessages(db, orgId, id, { after: undefined, order: 'desc' }, limit)
    return rows.reverse().map((row) => toMessage(row, this.#services.appUrl))
  }

  /** The visitor's page is open. It may be called all the time: it writes at most every 20 seconds. */
  async noteVisitorSeen(tx: Tx, { orgId, id }: StoredConversation, token: string, now: Timestamp): Promise<void> {
    await updateSeen(tx, orgId, id, now, timestamp(toMs(now) - SEEN_EVERY_MS))
    const found = await selectByToken(tx, orgId, hashToken(token))
    if (found !== undefined) await keepToken(tx, orgId, { hash: hashToken(token), expires_at: found.expires_at }, now)
  }

  /** The visitor has read all messages. */
  async markReadByVisitor(tx: Tx, { orgId, id }: StoredConversation, now: Timestamp): Promise<void> {
    await updateRead(tx, orgId, id, { visitor_read_at: now, visitor_seen_at: now })
    await announceSignal(tx, id, 'visitor_read')
  }

  announceVisitorTyping(tx: Tx, { id }: StoredConversation): Promise<void> {
    return announceSignal(tx, id, 'visitor_typing')
  }

  /** Null if it is a new one. */
  async #lock(tx: Tx, conversation: StoredConversation | StartedConversation): Promise<ConversationRow | null> {
    const { orgId, id } = conversation
    await lockRow(tx, orgId, 'conversations', id)
    const row = await selectConversation(tx, orgId, id)
    if (row === undefined && !('token' in conversation)) throw new ConversationGone()
    return row ?? null
  }

  /** The row after the visitor did something, with the token of a new conversation. */
  async #touched(
    tx: Tx,
    conversation: StoredConversation | StartedConversation,
    before: ConversationRow | null,
    row: ConversationRow,
    now: Timestamp,
  ): Promise<ConversationRow> {
    if (before !== null)
      return { ...row, changed_at: nextTime(before, now), visitor_read_at: now, visitor_seen_at: now }
    const { orgId, id, token } = conversation as StartedConversation
    await addToken(tx, orgId, id, 'visitor', token, now)
    return row
  }
}

const textOf = (parts: readonly StoredPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
