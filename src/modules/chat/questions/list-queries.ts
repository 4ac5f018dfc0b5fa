import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, isSqlite } from '../../../platform/db/index.ts'
import type { Tables } from '../../../platform/db/types.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type GroupRow } from './queries.ts'

export interface GroupFilters {
  /** All of the organisation if undefined. */
  scopeId: string | undefined
  language: string | undefined
  since: string | undefined
  sort: 'count' | 'recent'
}

/** A row with its position in the list: `created_at` is the value that the list is sorted by. */
export type ListedGroup = GroupRow & Position

const SORTED_BY = { count: 'asked_count', recent: 'last_asked_at' } as const

/**
 * Highest first. The filters are a range of the index that begins with them, and also part of the order: with an
 * equality, PostgreSQL may read another index and check each row.
 */
export async function selectGroups(
  db: Db,
  orgId: OrgId,
  { scopeId, language, since, sort }: GroupFilters,
  after: Position | undefined,
  limit: number,
): Promise<ListedGroup[]> {
  const column = SORTED_BY[sort]
  const filters: [column: 'scope_id' | 'language', value: string][] = []
  if (scopeId !== undefined) filters.push(['scope_id', scopeId])
  if (language !== undefined) filters.push(['language', language])
  const lowest: Bound[] = since !== undefined && sort === 'recent' ? [...filters, [column, since]] : filters
  const value = sort === 'count' ? Number(after?.created_at) : after?.created_at
  let found = db.selectFrom('question_groups').select(COLUMNS).where('org_id', '=', orgId).where('is_listed', '=', true)
  if (lowest.length > 0) found = found.where(compare('>=', lowest))
  if (after !== undefined) found = found.where(compare('<', [...filters, [column, value], ['id', after.id]]))
  else if (filters.length > 0) found = found.where(compare('<=', filters))
  // PostgreSQL takes a comparison of rows for one that a third of them pass. These tell it how few there are.
  if (!isSqlite(db))
    for (const filter of filters) found = found.where(compare('>=', [filter])).where(compare('<=', [filter]))
  if (since !== undefined && sort === 'count') found = found.where('last_asked_at', '>=', since)
  for (const [name] of filters) found = found.orderBy(name, 'desc') as typeof found
  const rows = await inOrder(found, column).limit(limit).execute()
  return rows.map((row) => ({ ...row, created_at: String(row[column]) }))
}

type Found = SelectQueryBuilder<Tables, 'question_groups', GroupRow>

const inOrder = (found: Found, column: 'asked_count' | 'last_asked_at'): Found =>
  found.orderBy(column, 'desc').orderBy('id', 'desc')

type Bound = [column: string, value: unknown]

const compare = (operator: '<' | '<=' | '>=', bounds: readonly Bound[]) => {
  const columns = sql.join(bounds.map(([column]) => sql.ref(column)))
  const values = sql.join(bounds.map(([, value]) => sql`${value}`))
  return bounds.length === 1
    ? sql<SqlBool>`${columns} ${sql.raw(operator)} ${values}`
    : sql<SqlBool>`(${columns}) ${sql.raw(operator)} (${values})`
}
