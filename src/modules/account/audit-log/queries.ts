import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, olderThan, type Tables } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('audit_log', 'org_id')

export interface Filters {
  actor: string | undefined
  action: string | undefined
  resource: string | undefined
  from: string | undefined
  to: string | undefined
}

/** Newest first. */
export const selectEntries = (db: Db, orgId: OrgId, filters: Filters, after: Position | undefined, limit: number) =>
  inOrder(db.selectFrom('audit_log').select(COLUMNS).where('org_id', '=', orgId), filters, after)
    .limit(limit)
    .execute()

type Entries = SelectQueryBuilder<Tables, 'audit_log', Pick<Tables['audit_log'], (typeof COLUMNS)[number]>>

/**
 * A filter is a range of its own index, and entries are read in the order of that index. With `actor_id = …`, PostgreSQL
 * may read all entries of the organisation instead. If there are several filters, one has a range.
 */
function inOrder(entries: Entries, { actor, action, resource, from, to }: Filters, after: Position | undefined) {
  const filters = Object.entries({ resource_id: resource, actor_id: actor, action }).filter(
    (filter): filter is ['resource_id' | 'actor_id' | 'action', string] => filter[1] !== undefined,
  )
  const [first, ...others] = filters
  let found = entries
  for (const [column, value] of others) found = found.where(column, '=', value)
  if (first === undefined) {
    if (from !== undefined) found = found.where('created_at', '>=', from)
    if (to !== undefined) found = found.where('created_at', '<', to)
    if (after !== undefined) found = found.where(olderThan(after))
  } else {
    const [column, value] = [sql.ref(first[0]), first[1]]
    found = found.where(
      from === undefined
        ? sql<SqlBool>`${column} >= ${value}`
        : sql<SqlBool>`(${column}, created_at) >= (${value}, ${from})`,
    )
    found = found.where(
      to === undefined
        ? sql<SqlBool>`${column} <= ${value}`
        : sql<SqlBool>`(${column}, created_at) < (${value}, ${to})`,
    )
    if (after !== undefined) {
      found = found.where(sql<SqlBool>`(${column}, created_at, id) < (${value}, ${after.created_at}, ${after.id})`)
    }
    found = found.orderBy(first[0], 'desc')
  }
  return found.orderBy('created_at', 'desc').orderBy('id', 'desc')
}

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]
