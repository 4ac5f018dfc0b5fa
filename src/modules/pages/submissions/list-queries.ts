import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { containsFolded, type Db, isSqlite, olderThan } from '../../../platform/db/index.ts'
import type { Tables } from '../../../platform/db/types.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { COLUMNS, type SubmissionRow } from './queries.ts'

export interface Filters {
  page_id: string | undefined
  status: SubmissionRow['status'] | undefined
  priority: SubmissionRow['priority'] | undefined
  flagged: boolean | undefined
  assignee_id: string | undefined
  qr_code_id: string | undefined
  object_id: string | undefined
  product_id: string | undefined
  search: string | undefined
  from: string | undefined
  to: string | undefined
}

/** The columns with an index of their own. The first that a request filters by has few rows. */
const INDEXED = ['assignee_id', 'qr_code_id', 'object_id', 'product_id', 'page_id', 'priority', 'status'] as const
type Indexed = (typeof INDEXED)[number]

type Matching<Row> = SelectQueryBuilder<Tables, 'submissions', Row>

/**
 * Newest first. One filter is a range of its own index, and rows are read in the order of that index. With `status = …`,
 * PostgreSQL may read all rows of the organisation instead. The others are checked for each row.
 */
function matching<Row>(submissions: Matching<Row>, filters: Filters, after: Position | undefined): Matching<Row> {
  const given = INDEXED.flatMap((column) => {
    const value = filters[column]
    return value === undefined ? [] : [[column, value] as const]
  })
  const ranged = given.find(([column, value]) => column !== 'priority' || value !== 'none')
  let found = submissions
  for (const [column, value] of given) if (column !== ranged?.[0]) found = found.where(column, '=', value)
  // Must be a literal, or the planner does not use the partial index.
  if (filters.flagged !== undefined)
    found = found.where(filters.flagged ? sql<SqlBool>`flagged` : sql<SqlBool>`not flagged`)
  if (filters.search) found = found.where(containsFolded('search_text', filters.search))
  return ranged === undefined ? inTime(found, filters, after) : inRange(found, ranged[0], ranged[1], filters, after)
}

function inTime<Row>(found: Matching<Row>, { from, to }: Filters, after: Position | undefined): Matching<Row> {
  return found
    .$if(from !== undefined, (query) => query.where('created_at', '>=', from as string))
    .$if(to !== undefined, (query) => query.where('created_at', '<', to as string))
    .$if(after !== undefined, (query) => query.where(olderThan(after as Position)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc') as Matching<Row>
}

function inRange<Row>(
  submissions: Matching<Row>,
  name: Indexed,
  value: string,
  { from, to }: Filters,
  after: Position | undefined,
): Matching<Row> {
  const column = sql.ref(name)
  let found = submissions
  // These indexes have only some rows, and the planner must see that all others are left out.
  if (name === 'priority') found = found.where(sql<SqlBool>`priority <> 'none'`)
  else if (name !== 'page_id' && name !== 'status') found = found.where(name, 'is not', null)
  return found
    .where(
      from === undefined
        ? sql<SqlBool>`${column} >= ${value}`
        : sql<SqlBool>`(${column}, created_at) >= (${value}, ${from})`,
    )
    .where(
      to === undefined
        ? sql<SqlBool>`${column} <= ${value}`
        : sql<SqlBool>`(${column}, created_at) < (${value}, ${to})`,
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(${column}, created_at, id) < (${value}, ${after?.created_at}, ${after?.id})`),
    )
    .orderBy(name, 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc') as Matching<Row>
}

export const selectSubmissions = (
  db: Db,
  orgId: OrgId,
  filters: Filters,
  after: Position | undefined,
  limit: number,
): Promise<SubmissionRow[]> =>
  matching(db.selectFrom('submissions').select(COLUMNS).where('org_id', '=', orgId), filters, after)
    .limit(limit)
    .execute()

/** SQLite knows the length of a stored text without reading it. */
export const selectSizes = (
  db: Db,
  orgId: OrgId,
  filters: Filters,
  after: Position | undefined,
  limit: number,
): Promise<{ bytes: number }[]> => {
  const bytes = isSqlite(db)
    ? sql<number>`octet_length(data) + octet_length(metadata) + coalesce(octet_length(notes), 0)`
    : sql<number>`octet_length(data::text) + octet_length(metadata::text) + coalesce(octet_length(notes), 0)`
  const sizes = db.selectFrom('submissions').select(bytes.as('bytes')).where('org_id', '=', orgId)
  return matching(sizes, filters, after).limit(limit).execute()
}
