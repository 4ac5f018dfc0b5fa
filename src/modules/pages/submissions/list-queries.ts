import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { containsFolded, type Db, inRange, isSqlite, type ListOrder, type Tables } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type SubmissionRow } from './queries.ts'

/** The columns with an index of their own. The first that a request filters by has few rows. */
const INDEXED = ['assignee_id', 'qr_code_id', 'object_id', 'product_id', 'page_id', 'priority', 'status'] as const

export type Filters = Partial<
  { [Column in (typeof INDEXED)[number] | 'flagged']: SubmissionRow[Column] | undefined } & {
    [Name in 'search' | 'from' | 'to']: string | undefined
  }
>

type Matching<Row> = SelectQueryBuilder<Tables, 'submissions', Row>

const NEWEST_FIRST: ListOrder = { column: 'created_at', direction: 'desc' }

/** Newest first. One filter is a range of its own index, the others are checked for each row. */
function matching<Row>(
  db: Db,
  submissions: Matching<Row>,
  filters: Filters,
  after: Position | undefined,
): Matching<Row> {
  const given = INDEXED.flatMap((column) => {
    const value = filters[column]
    return value === undefined ? [] : [[column, value] as const]
  })
  const ranged = given.find(([column, value]) => column !== 'priority' || value !== 'none')
  let found = submissions
  for (const [column, value] of given) if (column !== ranged?.[0]) found = found.where(column, '=', value)
  if (ranged !== undefined) found = inIndexOf(ranged[0], found)
  // Must be a literal, or the planner does not use the partial index.
  if (filters.flagged !== undefined)
    found = found.where(filters.flagged ? sql<SqlBool>`flagged` : sql<SqlBool>`not flagged`)
  if (filters.search) found = found.where(containsFolded('search_text', filters.search))
  return inRange(db, found, {
    filters: ranged === undefined ? [] : [ranged],
    order: NEWEST_FIRST,
    from: filters.from,
    to: filters.to,
    after: after && { value: after.created_at, id: after.id },
  })
}

/** Some indexes have only some rows, and the planner must see that all others are left out. */
function inIndexOf<Row>(column: (typeof INDEXED)[number], found: Matching<Row>): Matching<Row> {
  if (column === 'priority') return found.where(sql<SqlBool>`priority <> 'none'`)
  return column === 'page_id' || column === 'status' ? found : found.where(column, 'is not', null)
}

export const selectSubmissions = (
  db: Db,
  orgId: OrgId,
  filters: Filters,
  after: Position | undefined,
  limit: number,
): Promise<SubmissionRow[]> =>
  matching(db, db.selectFrom('submissions').select(COLUMNS).where('org_id', '=', orgId), filters, after)
    .limit(limit)
    .execute()

/** What an export reads with a submission, for each reply. Few are longer. */
const REPLY_BYTES = 2000

/** SQLite knows the length of a stored text without reading it. */
export const selectSizes = (
  db: Db,
  orgId: OrgId,
  filters: Filters,
  after: Position | undefined,
  limit: number,
  withReplies: boolean,
): Promise<{ bytes: number }[]> => {
  const bytes = isSqlite(db)
    ? sql<number>`octet_length(data) + octet_length(metadata) + coalesce(octet_length(notes), 0)`
    : sql<number>`octet_length(data::text) + octet_length(metadata::text) + coalesce(octet_length(notes), 0)`
  const size = withReplies ? sql<number>`${bytes} + reply_count * ${sql.lit(REPLY_BYTES)}` : bytes
  const sizes = db.selectFrom('submissions').select(size.as('bytes')).where('org_id', '=', orgId)
  return matching(db, sizes, filters, after).limit(limit).execute()
}
