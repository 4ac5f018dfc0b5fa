import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, olderThan } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = ['id', 'type', 'payload', 'created_at'] as const
export interface EventRow {
  id: string
  type: string
  payload: unknown
  created_at: string
}

interface Filters {
  since: string
  type: string | undefined
}

/** Newest first. */
export const selectEvents = (
  db: Db,
  orgId: OrgId,
  { since, type }: Filters,
  after: Position | undefined,
  limit: number,
): Promise<EventRow[]> =>
  db
    .selectFrom('events')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('created_at', '>', since)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
