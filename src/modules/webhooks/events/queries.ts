import { type SqlBool, sql } from 'kysely'
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
const matching = (db: Db, orgId: OrgId, { since, type, after }: Filters, limit: number) => {
  const events = db.selectFrom('events').where('org_id', '=', orgId).limit(limit)
  if (type === undefined) {
    return events
      .where('created_at', '>', since)
      .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
  }
  // A range of `events_org_type_idx`. With `type = …`, SQLite reads the events of all types from the second page on.
  const end =
    after === undefined
      ? sql<SqlBool>`type <= ${type}`
      : sql<SqlBool>`(type, created_at, id) < (${type}, ${after.created_at}, ${after.id})`
  return events
    .where(sql<SqlBool>`(type, created_at) > (${type}, ${since})`)
    .where(end)
    .orderBy('type', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
}

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
