import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { announce, type Tx } from '../../../platform/db/index.ts'
import { newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { changesOf, emitAll } from '../../../platform/outbox/index.ts'
import { noteConversation, noteMessage } from '../chatbots/index.ts'
import { CONVERSATIONS_TOPIC } from './announcements.ts'
import { conversationEvents } from './events.ts'
import type { Message } from './messages/contract.ts'
import { insertMessages, type NewMessageRow } from './messages/message-queries.ts'
import { type NewMessage, toMessage, toPreview } from './messages/stored-message.ts'
import { type ConversationRow, insertChange, insertConversation, updateConversationRow } from './queries.ts'
import { toConversation } from './stored-conversation.ts'

/** What an agent or a visitor may set. A change of any other field has no event: its message has one. */
const EVENTFUL = [
  'status',
  'priority',
  'title',
  'contact_email',
  'contact_name',
  'contact_phone',
  'assigned_to',
] as const satisfies readonly (keyof ConversationRow)[]

interface Change {
  /** The row as it is stored, locked. Null for a new conversation. */
  before: ConversationRow | null
  /** The row as it shall be, apart from the fields that follow from messages. */
  after: ConversationRow
  messages?: readonly NewMessage[]
}

/** The time of the next change of a conversation: later than the one before, also if the clocks of two processes differ. */
export const nextTime = ({ changed_at }: Pick<ConversationRow, 'changed_at'>, now: Timestamp): Timestamp =>
  changed_at < now ? now : timestamp(toMs(changed_at) + 1)

/**
 * Everything that changes a conversation ends here: rows, events and announcements. All messages of a change have one time
 * (`after.changed_at`), and their ids are in order; the times of changes increase. Events are in the order: the
 * conversation, then its messages.
 */
export async function changeConversation(
  tx: Tx,
  orgId: OrgId,
  { before, after, messages = [] }: Change,
  appUrl: string,
): Promise<{ row: ConversationRow; messages: Message[] }> {
  const now = after.changed_at as Timestamp
  const rows = toRows(after.id, messages, now)
  const row = { ...after, ...lastOf(messages, now) }
  if (before === null) {
    await insertConversation(tx, orgId, row)
    await noteConversation(tx, orgId, row.chatbot_id, now)
  } else {
    await updateConversationRow(tx, orgId, row)
    if (messages.some(({ role }) => role === 'user')) await noteMessage(tx, orgId, row.chatbot_id, now)
  }
  await insertMessages(tx, orgId, rows)
  const stored = rows.map((one) => toMessage(one, appUrl))
  const about = eventsAbout(before, row)
  if (about.length > 0) await insertChange(tx, orgId, row.id, now)
  const events = [...about, ...stored.map((payload) => ({ type: 'message.created' as const, payload }))]
  await emitAll(
    tx,
    conversationEvents,
    events.map((event) => ({ orgId, ...event })),
    now,
  )
  await announce(tx, CONVERSATIONS_TOPIC, [row.id])
  return { row, messages: stored }
}

function toRows(conversationId: string, messages: readonly NewMessage[], now: Timestamp): NewMessageRow[] {
  const ids = messages.map(() => newIdAt(toMs(now))).sort()
  return messages.map(({ role, metadata, parts, message_key = null, answer_to = null }, n) => ({
    id: ids[n] as string,
    conversation_id: conversationId,
    ...{ role, metadata, parts, message_key, answer_to },
    created_at: now,
  }))
}

function lastOf(messages: readonly NewMessage[], now: Timestamp): Partial<ConversationRow> {
  const last = messages.findLast(({ role }) => role !== 'system')
  return last === undefined ? {} : { last_message_preview: toPreview(last.parts), last_message_at: now, active_at: now }
}

function eventsAbout(before: ConversationRow | null, after: ConversationRow) {
  const conversation = toConversation(after)
  if (before === null) return [{ type: 'conversation.created' as const, payload: conversation }]
  if (EVENTFUL.every((name) => before[name] === after[name])) return []
  const changes = changesOf(toConversation(before), conversation) ?? {}
  return [{ type: 'conversation.updated' as const, payload: { ...conversation, changes } }]
}
