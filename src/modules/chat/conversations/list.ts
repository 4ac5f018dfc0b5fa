import type { z } from 'zod'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { areFewRanges } from '../../../platform/db/index.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import { Conversation, type conversations } from './contract.ts'
import { type Order, type Selection, selectConversations } from './list-queries.ts'
import { toConversation } from './stored-conversation.ts'

type ListQuery = z.output<typeof conversations.list.declared.query>

const ORDERS: Record<ListQuery['sort'], Order> = {
  '-created_at': { column: 'created_at', direction: 'desc' },
  created_at: { column: 'created_at', direction: 'asc' },
  '-last_message_at': { column: 'active_at', direction: 'desc' },
  last_message_at: { column: 'active_at', direction: 'asc' },
}

export function listConversations(
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<Conversation>> {
  const selection = toSelection(query)
  const order = ORDERS[query.sort]
  const db = areFewRanges(selection) ? ctx.read : ctx.readLong
  return cursorPage(
    query,
    async (limit) => {
      const rows = await selectConversations(db, ctx.orgId, selection, order, after, limit)
      return rows.map((row) => ({ row, id: row.id, created_at: row[order.column] }))
    },
    ({ row }) => toConversation(row),
  )
}

const { status: STATUS, priority: PRIORITY } = Conversation.shape

/**
 * All conversations have an index in their order. With filters, they are in ranges of another one, for each status and
 * priority: with a member behind them, a chatbot, or both.
 */
function toSelection({ chatbot_id, assigned_to, include_unassigned, status, priority }: ListQuery): Selection {
  const isFiltered = [chatbot_id, assigned_to, status, priority].some((filter) => filter !== undefined)
  if (!isFiltered) return { filters: [] }
  const members = assigned_to && (include_unassigned ? [...assigned_to, null] : assigned_to)
  return {
    filters: [
      ['status', status ?? STATUS.options],
      ['priority', priority ?? PRIORITY.options],
      ...(members === undefined ? [] : [['assigned_to', members, 'uuid'] as const]),
      ...(chatbot_id === undefined ? [] : [['chatbot_id', [chatbot_id], 'uuid'] as const]),
    ],
  }
}
