import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, inRange } from '../../../platform/db/index.ts'
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

/** Highest first. The filters are a range of the index that begins with them. */
export async function selectGroups(
  db: Db,
  orgId: OrgId,
  { scopeId, language, since, sort }: GroupFilters,
  after: Position | undefined,
  limit: number,
): Promise<ListedGroup[]> {
  const column = SORTED_BY[sort]
  const filters: [column: string, value: string][] = []
  if (scopeId !== undefined) filters.push(['scope_id', scopeId])
  if (language !== undefined) filters.push(['language', language])
  let found = db.selectFrom('question_groups').select(COLUMNS).where('org_id', '=', orgId).where('is_listed', '=', true)
  if (since !== undefined && sort === 'count') found = found.where('last_asked_at', '>=', since)
  const rows = await inRange(db, found, {
    filters,
    order: { column, direction: 'desc' },
    from: sort === 'recent' ? since : undefined,
    after: after && { value: sort === 'count' ? Number(after.created_at) : after.created_at, id: after.id },
  })
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, created_at: String(row[column]) }))
}
