import type { z } from 'zod'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import { type Context, cursorPage } from '../../../platform/http/index.ts'
import type { Conversation, conversations } from './contract.ts'
import { type Driver, type Filters, type Order, selectConversations } from './list-queries.ts'
import type { ConversationRow } from './queries.ts'
import { toConversation } from './stored-conversation.ts'

type ListQuery = z.output<typeof conversations.list.declared.query>

const ORDERS: Record<ListQuery['sort'], Order> = {
  '-created_at': { column: 'created_at', direction: 'desc' },
  created_at: { column: 'created_at', direction: 'asc' },
  '-last_message_at': { column: 'active_at', direction: 'desc' },
  last_message_at: { column: 'active_at', direction: 'asc' },
}

/**
 * Several values of a filter are as many ranges of its index. Each is read on its own, at most a page of it, and they are
 * merged here: so every statement reads only rows that it returns.
 */
export function listConversations(
  ctx: Context,
  query: ListQuery,
  after: Position | undefined,
): Promise<CursorPage<Conversation>> {
  const filters = toFilters(query)
  const order = ORDERS[query.sort]
  const given = Object.values(filters).filter((values) => values !== undefined)
  // One filter is read from its index. With several, all rows of one of them may be read.
  const db = given.length > 1 ? ctx.readLong : ctx.read
  const drivers = driversOf(filters)
  return cursorPage(
    query,
    async (limit) => {
      const select = (driver: Driver | undefined) =>
        selectConversations(db, ctx.orgId, driver, filters, order, after, limit)
      const ranges = await Promise.all(drivers === undefined ? [select(undefined)] : drivers.map(select))
      return merge(ranges, order)
        .slice(0, limit)
        .map((row) => ({ row, id: row.id, created_at: row[order.column] }))
    },
    ({ row }) => toConversation(row),
  )
}

function toFilters({ chatbot_id, status, priority, assigned_to, include_unassigned }: ListQuery): Filters {
  return {
    chatbot_id: chatbot_id === undefined ? undefined : [chatbot_id],
    status,
    priority,
    assigned_to: assigned_to && (include_unassigned ? [...assigned_to, null] : assigned_to),
  }
}

/** Few conversations wait for a person or are open, and few belong to one person. */
const WORKED_ON: readonly ConversationRow['status'][] = ['agent_requested', 'open']

/** The values of the filter that leaves the fewest rows; undefined if there is no filter. */
function driversOf({ chatbot_id, status, priority, assigned_to }: Filters): Driver[] | undefined {
  const isWorkedOn = status?.every((one) => WORKED_ON.includes(one))
  const byPreference = [
    ['status', isWorkedOn ? status : undefined],
    ['assigned_to', assigned_to],
    ['chatbot_id', chatbot_id],
    ['status', status],
    ['priority', priority],
  ] as const
  const [column, values] = byPreference.find(([, given]) => given !== undefined) ?? []
  return column && values?.map((value) => ({ column, value }))
}

function merge(ranges: readonly ConversationRow[][], { column, direction }: Order): ConversationRow[] {
  const [only] = ranges
  if (ranges.length === 1 && only !== undefined) return only
  const keyOf = (row: ConversationRow) => `${row[column]} ${row.id}`
  const sorted = ranges.flat().sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return direction === 'asc' ? sorted : sorted.reverse()
}
