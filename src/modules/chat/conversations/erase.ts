import type { Timestamp } from '../../../platform/clock/index.ts'
import { announce, type Tx } from '../../../platform/db/index.ts'
import { insertTombstone } from '../../../platform/db/tombstones.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { emit, redactEvents } from '../../../platform/outbox/index.ts'
import { deleteAssets, removeAssetReferences } from '../../assets/assets/index.ts'
import { dropMailsAbout } from '../../mail/mails/index.ts'
import { findGroupsOf, forgetConversation } from '../questions/index.ts'
import { CONVERSATIONS_TOPIC } from './announcements.ts'
import { conversationEvents } from './events.ts'
import { deleteFiles, deleteMessages } from './messages/message-queries.ts'
import { deleteNotes } from './notes/note-queries.ts'
import { deleteChanges, deleteConversation, deleteTokensOf } from './queries.ts'
import { lockConversation, requireConversation } from './stored-conversation.ts'
import { deleteAssignments } from './tags/tag-queries.ts'

/** Small, so that erasing a long conversation does not block requests for long. */
const BATCH_ROWS = 200

/** Forgets what the receivers of these events responded, which may quote them. */
export type ForgetResponses = (tx: Tx, orgId: OrgId, eventIds: readonly string[]) => Promise<void>

/**
 * Removes a conversation with everything that was written in it. A long one takes several transactions, of which the last
 * removes the conversation itself.
 */
export async function eraseConversation(ctx: Context, id: string, forgetResponses: ForgetResponses): Promise<void> {
  const { chatbot_id } = await requireConversation(ctx.read, ctx.orgId, id)
  // First, so that a crash leaves a conversation that can be erased again; then what was asked in the meantime.
  await forgetQuestions(ctx, chatbot_id, id)
  while (!(await ctx.write((tx) => erasePart(tx, ctx, id, forgetResponses))));
  await forgetQuestions(ctx, chatbot_id, id)
}

async function forgetQuestions(ctx: Context, chatbotId: string, id: string): Promise<void> {
  const groupIds = await findGroupsOf(ctx.readLong, ctx.orgId, chatbotId, id)
  if (groupIds.length > 0) await ctx.write((tx) => forgetConversation(tx, ctx.orgId, chatbotId, id, groupIds))
}

/** Returns whether the conversation is erased. */
async function erasePart(tx: Tx, ctx: Context, id: string, forgetResponses: ForgetResponses): Promise<boolean> {
  const { orgId, now } = ctx
  await lockConversation(tx, orgId, id)
  const messages = await deleteMessages(tx, orgId, id, BATCH_ROWS)
  const changes = await deleteChanges(tx, orgId, id, BATCH_ROWS)
  const notes = await deleteNotes(tx, orgId, id, BATCH_ROWS)
  const aboutMessages = {
    ids: messages.map((message) => message.id),
    types: ['message.created'],
    times: [...new Set(messages.map(({ created_at }) => created_at))],
  }
  const aboutIt = { ids: [id], types: ['conversation.created', 'conversation.updated'], times: changes }
  await forgetResponses(tx, orgId, await redactEvents(tx, orgId, aboutMessages, withoutParts))
  await forgetResponses(tx, orgId, await redactEvents(tx, orgId, aboutIt, withoutContent))
  if (Math.max(messages.length, changes.length, notes) === BATCH_ROWS) return false
  await eraseFiles(tx, orgId, id, now)
  await deleteAssignments(tx, orgId, id)
  await deleteTokensOf(tx, orgId, id)
  await deleteConversation(tx, orgId, id)
  await dropMailsAbout(tx, orgId, id)
  await insertTombstone(tx, orgId, 'conversation', id, now)
  const deleted = { object: 'conversation', id, deleted: true as const, deleted_at: now }
  await emit(tx, orgId, conversationEvents, 'conversation.deleted', deleted, now)
  await announce(tx, CONVERSATIONS_TOPIC, [id])
  return true
}

/** Deletes files at once, instead of a day later, unless somebody else has sent the same file. */
async function eraseFiles(tx: Tx, orgId: OrgId, id: string, now: Timestamp): Promise<void> {
  const files = await deleteFiles(tx, orgId, id)
  await removeAssetReferences(tx, orgId, 'conversation', [id], now)
  if (files.length > 0) await deleteAssets(tx, orgId, files, now, { withUploads: true })
}

type Payload = Record<string, unknown>

/** What is left still has the shape of the event. */
const withoutParts = (payload: Payload): Payload => ({ ...payload, metadata: {}, parts: [] })

const CONTENT = ['title', 'contact_email', 'contact_name', 'contact_phone', 'last_message_preview']

function withoutContent(payload: Payload): Payload {
  const emptied = { ...payload, ...Object.fromEntries(CONTENT.map((name) => [name, null])) }
  const { changes } = payload as { changes?: Payload }
  if (changes === undefined) return emptied
  const redacted = CONTENT.filter((name) => name in changes).map((name) => [name, REDACTED])
  return { ...emptied, changes: { ...changes, ...Object.fromEntries(redacted) } }
}

const REDACTED = { from: null, to: null, omitted: true }
