import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, inRanges, type ListOrder, type ListRanges } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type ConversationRow } from './queries.ts'

/** The ranges of an index that have all conversations of a list. */
export type Selection = Pick<ListRanges, 'filters'>

export type Order = ListOrder<'created_at' | 'active_at'>

/** A filter without values, by nobody, has no conversations. */
export const selectConversations = async (
  db: Db,
  orgId: OrgId,
  { filters }: Selection,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<ConversationRow[]> => {
  if (filters.some(([, values]) => values.length === 0)) return []
  const list = { ...{ orgId, filters, order, limit }, behind: [] }
  const position = after && { value: after.created_at, id: after.id }
  return inRanges(db, 'conversations', { ...list, after: position })
    .select(COLUMNS)
    .execute()
}
