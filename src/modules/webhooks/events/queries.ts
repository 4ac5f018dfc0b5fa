import { sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { type Db, isSqlite, olderThan } from '../../../platform/db/index.ts'
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
  after: Position | undefined
}

/** Newest first. */
const matching = (db: Db, orgId: OrgId, { since, type, after }: Filters, limit: number) =>
  db
    .selectFrom('events')
    .where('org_id', '=', orgId)
    .where('created_at', '>', since)
    .$if(type !== undefined, (query) => query.where('type', '=', type ?? ''))
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

export const selectEvents = (db: Db, orgId: OrgId, filters: Filters, limit: number): Promise<EventRow[]> =>
  matching(db, orgId, filters, limit).select(COLUMNS).execute()

/** SQLite knows the length of a stored text without reading it. */
export const selectEventSizes = (
  db: Db,
  orgId: OrgId,
  filters: Filters,
  limit: number,
): Promise<{ bytes: number }[]> => {
  const bytes = isSqlite(db) ? sql<number>`octet_length(payload)` : sql<number>`octet_length(payload::text)`
  return matching(db, orgId, filters, limit).select(bytes.as('bytes')).execute()
}
