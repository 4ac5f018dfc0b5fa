import type { z } from 'zod'
import type { OffsetPage } from '../../../platform/contract/pagination.ts'
import { sentFields } from '../../../platform/contract/sent-fields.ts'
import { announce, type Db, lockRow, type Tx, totalOf } from '../../../platform/db/index.ts'
import { insertTombstone, notFoundOrGone } from '../../../platform/db/tombstones.ts'
import { type Context, offsetPage, requireModestPage } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf, emit } from '../../../platform/outbox/index.ts'
import type { Chatbot, ChatbotUpdate, chatbots } from './contract.ts'
import { chatbotEvents } from './events.ts'
import {
  type ChatbotRow,
  countChatbots,
  deleteChatbotRows,
  selectChatbot,
  selectChatbots,
  selectSizes,
  updateChatbotRow,
} from './queries.ts'
import { requireModel, requireOwnIds } from './references.ts'
import { CHATBOTS_TOPIC, type ChatbotServices, keepLogo, newRevision, toChatbot } from './stored-chatbot.ts'

type ListQuery = z.output<typeof chatbots.list.declared.query>

export function listChatbots(ctx: Context, query: ListQuery, publicUrl: string): Promise<OffsetPage<Chatbot>> {
  const { status, search, sort } = query
  const filters = { status, search }
  return offsetPage(ctx, query, {
    totals: [status === undefined ? 'chatbots' : totalOf('chatbots', 'status', status)],
    count: search ? (db) => countChatbots(db, ctx.orgId, filters) : undefined,
    rows: async (db, limit, offset) => {
      requireModestPage(await selectSizes(db, ctx.orgId, filters, { sort, limit, offset }))
      return selectChatbots(db, ctx.orgId, filters, { sort, limit, offset })
    },
    toItem: (row) => toChatbot(row, publicUrl),
  })
}

export const getChatbot = async (ctx: Context, id: string, publicUrl: string): Promise<Chatbot> =>
  toChatbot(await requireChatbot(ctx.read, ctx.orgId, id), publicUrl)

export async function updateChatbot(
  ctx: Context,
  id: string,
  input: ChatbotUpdate,
  { publicUrl, models, passwords }: ChatbotServices,
): Promise<Chatbot> {
  const { password, location, ...sent } = input
  // A wrong id must not cost a hash.
  if (password != null) await requireChatbot(ctx.read, ctx.orgId, id)
  const passwordHash = password == null ? password : await passwords.hash(password, ctx.orgId)
  return ctx.write(async (tx) => {
    const row = await lockChatbot(tx, ctx.orgId, id)
    requireModel(models, sent.model, row.model)
    await requireOwnIds(tx, ctx.orgId, sent, row)
    const after: ChatbotRow = {
      ...row,
      ...sentFields(sent),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      location: { ...row.location, ...sentFields(location ?? {}) },
    }
    const changes = changesBetween(row, after, publicUrl)
    return changes === undefined ? toChatbot(row, publicUrl) : storeChange(tx, ctx, row, after, changes, publicUrl)
  })
}

export function deleteChatbot(ctx: Context, id: string): Promise<void> {
  return ctx.write(async (tx) => {
    const { name, slug, public_slug, logo_url } = await lockChatbot(tx, ctx.orgId, id)
    await deleteChatbotRows(tx, ctx.orgId, id)
    await keepLogo(tx, ctx.orgId, id, { before: logo_url, after: null }, ctx.now)
    await insertTombstone(tx, ctx.orgId, 'chatbot', id, ctx.now)
    await announce(tx, CHATBOTS_TOPIC, [public_slug])
    const deleted = { object: 'chatbot' as const, id, deleted: true as const, deleted_at: ctx.now }
    await emit(tx, ctx.orgId, chatbotEvents, 'chatbot.deleted', deleted, ctx.now, { name, slug, public_slug })
  })
}

/** Another password is a change that the chatbot itself does not show. */
function changesBetween(before: ChatbotRow, after: ChatbotRow, publicUrl: string): Changes | undefined {
  const changes = changesOf(toChatbot(before, publicUrl), toChatbot(after, publicUrl))
  if (before.password_hash === after.password_hash) return changes
  return { ...changes, password: { from: null, to: null, omitted: true } }
}

async function storeChange(
  tx: Tx,
  ctx: Context,
  before: ChatbotRow,
  after: ChatbotRow,
  changes: Changes,
  publicUrl: string,
): Promise<Chatbot> {
  const row = { ...after, updated_at: ctx.now, revision: newRevision() }
  const { conversation_count: _, last_active_at: __, ...values } = row
  await updateChatbotRow(tx, ctx.orgId, values)
  await keepLogo(tx, ctx.orgId, row.id, { before: before.logo_url, after: row.logo_url }, ctx.now)
  await announce(tx, CHATBOTS_TOPIC, [row.public_slug])
  const chatbot = toChatbot(row, publicUrl)
  await emit(tx, ctx.orgId, chatbotEvents, 'chatbot.updated', { ...chatbot, changes }, ctx.now)
  return chatbot
}

export async function requireChatbot(db: Db, orgId: OrgId, id: string): Promise<ChatbotRow> {
  const row = await selectChatbot(db, orgId, id)
  if (row === undefined) throw await notFoundOrGone(db, orgId, 'chatbot', id)
  return row
}

async function lockChatbot(tx: Tx, orgId: OrgId, id: string): Promise<ChatbotRow> {
  await lockRow(tx, orgId, 'chatbots', id)
  return requireChatbot(tx, orgId, id)
}
