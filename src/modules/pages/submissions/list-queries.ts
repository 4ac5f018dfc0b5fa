import { sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { containsFolded, type Db, inRanges, isSqlite, type ListRanges } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type SubmissionRow } from './queries.ts'

/** The submissions of a list: those in ranges of an index that fulfil the other conditions. */
export interface Selection extends Pick<ListRanges, 'filters' | 'behind' | 'from' | 'to'> {
  search: string | undefined
}

/** Newest first. */
function matching(db: Db, orgId: OrgId, { search, ...ranges }: Selection, after: Position | undefined, limit: number) {
  return inRanges(db, 'submissions', {
    ...{ ...ranges, orgId, limit },
    check: search ? containsFolded('search_text', search) : undefined,
    order: { column: 'created_at', direction: 'desc' },
    after: after && { value: after.created_at, id: after.id },
  })
}

export const selectSubmissions = (
  db: Db,
  orgId: OrgId,
  selection: Selection,
  after: Position | undefined,
  limit: number,
): Promise<SubmissionRow[]> => matching(db, orgId, selection, after, limit).select(COLUMNS).execute()

/** What an export reads with a submission, for each reply. Few are longer. */
const REPLY_BYTES = 2000

/** SQLite knows the length of a stored text without reading it. */
export const selectSizes = (
  db: Db,
  orgId: OrgId,
  selection: Selection,
  after: Position | undefined,
  limit: number,
  withReplies: boolean,
): Promise<{ bytes: number }[]> => {
  const bytes = isSqlite(db)
    ? sql<number>`octet_length(data) + octet_length(metadata) + coalesce(octet_length(notes), 0)`
    : sql<number>`octet_length(data::text) + octet_length(metadata::text) + coalesce(octet_length(notes), 0)`
  const size = withReplies ? sql<number>`${bytes} + reply_count * ${sql.lit(REPLY_BYTES)}` : bytes
  return matching(db, orgId, selection, after, limit).select(size.as('bytes')).execute()
}
