import { type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, inRange, type ListOrder } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type ConversationRow } from './queries.ts'

/** The values that a column may have. Null in `assigned_to` means nobody. */
export interface Filters {
  chatbot_id: readonly string[] | undefined
  status: readonly ConversationRow['status'][] | undefined
  priority: readonly ConversationRow['priority'][] | undefined
  assigned_to: readonly (string | null)[] | undefined
}

export type Order = ListOrder<'created_at' | 'active_at'>

/** A filter whose index is read, with one value. */
export interface Driver {
  column: keyof Filters
  value: string | null
}

/** Reads the rows with one value of `driver` from its own index, in order, and checks the other filters for each row. */
export function selectConversations(
  db: Db,
  orgId: OrgId,
  driver: Driver | undefined,
  filters: Filters,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  let found = db.selectFrom('conversations').select(COLUMNS).where('org_id', '=', orgId)
  for (const [column, values] of Object.entries(filters) as [keyof Filters, Filters[keyof Filters]][]) {
    if (values !== undefined && column !== driver?.column) found = found.where(isOneOf(column, values))
  }
  const range = { filters: driver === undefined ? [] : [[driver.column, driver.value] as const], order }
  return inRange(db, found, { ...range, after: after && { value: after.created_at, id: after.id } })
    .limit(limit)
    .execute()
}

function isOneOf(name: keyof Filters, values: readonly (string | null)[]) {
  const column = sql.ref(name)
  const given = values.filter((value) => value !== null)
  const isGiven = given.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(given)})`
  return values.includes(null) ? sql<SqlBool>`(${isGiven} or ${column} is null)` : isGiven
}
