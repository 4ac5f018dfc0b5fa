import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Tables } from '../../../platform/db/types.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type ConversationRow } from './queries.ts'

/** The values that a column may have. Null in `assigned_to` means nobody. */
export interface Filters {
  chatbot_id: readonly string[] | undefined
  status: readonly ConversationRow['status'][] | undefined
  priority: readonly ConversationRow['priority'][] | undefined
  assigned_to: readonly (string | null)[] | undefined
}

export interface Order {
  column: 'created_at' | 'active_at'
  direction: 'asc' | 'desc'
}

/** A filter whose index is read, with one value. */
export interface Driver {
  column: keyof Filters
  value: string | null
}

type Found = SelectQueryBuilder<Tables, 'conversations', ConversationRow>

/**
 * Reads the rows with one value of `driver` from its own index, in order, and checks the other filters for each row.
 * With `status = …`, PostgreSQL may read all rows of the organisation instead.
 */
export function selectConversations(
  db: Db,
  orgId: OrgId,
  driver: Driver | undefined,
  filters: Filters,
  order: Order,
  after: Position | undefined,
  limit: number,
): Promise<ConversationRow[]> {
  let found: Found = db.selectFrom('conversations').select(COLUMNS).where('org_id', '=', orgId)
  for (const [column, values] of Object.entries(filters) as [keyof Filters, Filters[keyof Filters]][]) {
    if (values !== undefined && column !== driver?.column) found = found.where(isOneOf(column, values))
  }
  const ranged = driver === undefined ? found : inRange(found, driver, order, after)
  return inOrder(ranged, order, driver === undefined ? after : undefined)
    .limit(limit)
    .execute()
}

function isOneOf(name: keyof Filters, values: readonly (string | null)[]) {
  const column = sql.ref(name)
  const given = values.filter((value) => value !== null)
  const isGiven = given.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(given)})`
  return values.includes(null) ? sql<SqlBool>`(${isGiven} or ${column} is null)` : isGiven
}

function inRange(found: Found, { column: name, value }: Driver, order: Order, after: Position | undefined): Found {
  const column = sql.ref(name)
  const ordered = found.orderBy(name, order.direction)
  if (value === null) return afterPosition(ordered.where(sql<SqlBool>`${column} is null`), order, after)
  const ranged = ordered.where(sql<SqlBool>`${column} >= ${value}`).where(sql<SqlBool>`${column} <= ${value}`)
  if (after === undefined) return ranged
  const position = sql`(${value}, ${after.created_at}, ${after.id})`
  return ranged.where(sql<SqlBool>`(${column}, ${sql.ref(order.column)}, id) ${beyond(order)} ${position}`)
}

const inOrder = (found: Found, order: Order, after: Position | undefined): Found =>
  afterPosition(found, order, after).orderBy(order.column, order.direction).orderBy('id', order.direction)

function afterPosition(found: Found, order: Order, after: Position | undefined): Found {
  if (after === undefined) return found
  const position = sql`(${after.created_at}, ${after.id})`
  return found.where(sql<SqlBool>`(${sql.ref(order.column)}, id) ${beyond(order)} ${position}`)
}

const beyond = ({ direction }: Order) => (direction === 'asc' ? sql`>` : sql`<`)
