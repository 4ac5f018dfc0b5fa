import { sql } from 'kysely'
import {
  compiled,
  compiledStatement,
  type Db,
  insertMissingRows,
  insertRows,
  runWithoutResult,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface SubmissionsTable {
  id: string
  org_id: string
  page_id: string
  /** Numbers begin at 1 and have no gaps on a page. */
  number: number
  status: 'new' | 'read' | 'in_progress' | 'resolved' | 'spam'
  priority: 'none' | 'low' | 'medium' | 'high'
  flagged: boolean
  assignee_id: string | null
  resolved_by: string | null
  resolved_at: string | null
  notes: string | null
  data: object
  metadata: object
  spam_reason: 'honeypot' | 'too_fast' | 'no_proof_of_work' | null
  viewed_at: string | null
  duration_seconds: number | null
  scan_id: string | null
  qr_code_id: string | null
  product_id: string | null
  object_id: string | null
  /** Answers and notes, folded. */
  search_text: string
  created_at: string
  updated_at: string
}

interface SubmissionKeysTable {
  /** A hash of the page and the form key. */
  id: string
  org_id: string
  submission_id: string
  created_at: string
}

interface ErasedSubmissionsTable {
  id: string
  org_id: string
  page_id: string
  number: number
  erased_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    submissions: SubmissionsTable
    submission_keys: SubmissionKeysTable
    erased_submissions: ErasedSubmissionsTable
  }
}

export const COLUMNS = [
  'id',
  'page_id',
  'number',
  'status',
  'priority',
  'flagged',
  'assignee_id',
  'resolved_by',
  'resolved_at',
  'notes',
  'data',
  'metadata',
  'spam_reason',
  'viewed_at',
  'duration_seconds',
  'scan_id',
  'qr_code_id',
  'product_id',
  'object_id',
  'created_at',
  'updated_at',
] as const
export type SubmissionRow = Pick<SubmissionsTable, (typeof COLUMNS)[number]>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('submissions').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectSubmission = async (db: Db, orgId: OrgId, id: string): Promise<SubmissionRow | undefined> =>
  (await byId(db, orgId, id))[0]

const KEY_COLUMNS = ['id', 'org_id', 'submission_id', 'created_at'] as const

/** Returns the ids of the keys that were not stored before. If they are assumed to be new, the transaction fails otherwise. */
export async function insertKeys(tx: Tx, rows: readonly SubmissionKeysTable[], areNew: boolean): Promise<string[]> {
  // The same order everywhere keeps two processes from waiting for each other's keys.
  const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  if (!areNew) return insertMissingRows(tx, 'submission_keys', KEY_COLUMNS, inOrder)
  await insertRows(tx, 'submission_keys', KEY_COLUMNS, inOrder)
  return inOrder.map(({ id }) => id)
}

/** The submissions that were sent with these keys, with their numbers. */
export const selectByKeys = async (
  db: Db,
  orgId: OrgId,
  keyIds: readonly string[],
): Promise<Map<string, { id: string; number: number }>> => {
  const rows = await db
    .selectFrom('submission_keys as k')
    .leftJoin('submissions as s', (join) => join.onRef('s.id', '=', 'k.submission_id').on('s.org_id', '=', orgId))
    .leftJoin('erased_submissions as e', (join) =>
      join.onRef('e.id', '=', 'k.submission_id').on('e.org_id', '=', orgId),
    )
    .select(['k.id as key', 'k.submission_id', 's.number', 'e.number as erased_number'])
    .where('k.org_id', '=', orgId)
    .where('k.id', 'in', [...keyIds])
    .execute()
  return new Map(
    rows.map((row) => [row.key, { id: row.submission_id, number: Number(row.number ?? row.erased_number) }]),
  )
}

const raise = compiledStatement((tx: Tx, orgId: OrgId, pageId: string, count: number) => {
  const page = tx.selectFrom('pages').select('id').where('org_id', '=', orgId).where('id', '=', pageId)
  return tx
    .updateTable('page_counters')
    .set((eb) => ({ submission_count: eb('submission_count', '+', count) }))
    .where('org_id', '=', orgId)
    .where('page_id', '=', pageId)
    .where(({ exists }) => exists(page))
    .returning('submission_count')
})

const raiseFrom = compiledStatement((tx: Tx, orgId: OrgId, pageId: string, last: number, count: number) => {
  const page = tx.selectFrom('pages').select('id').where('org_id', '=', orgId).where('id', '=', pageId)
  return (
    tx
      .updateTable('page_counters')
      // Null, which the column refuses, if it is another number or the page was deleted.
      .set({
        submission_count: sql<number>`case when submission_count = ${last} and exists ${page} then submission_count + ${count} end`,
      })
      .where('org_id', '=', orgId)
      .where('page_id', '=', pageId)
  )
})

/**
 * Takes the next numbers of a page. Returns the number before them, or undefined if the page was deleted. If one is assumed
 * here, the transaction does not wait for the response, and fails if the number is another or the page was deleted.
 */
export async function takeNumbers(
  tx: Tx,
  orgId: OrgId,
  pageId: string,
  count: number,
  assumed: number | undefined,
): Promise<number | undefined> {
  if (assumed !== undefined) {
    await runWithoutResult(tx, raiseFrom(tx, orgId, pageId, assumed, count))
    return assumed
  }
  const [row] = (await tx.executeQuery(raise(tx, orgId, pageId, count))).rows
  return row && Number(row.submission_count) - count
}

export const insertSubmissions = (
  tx: Tx,
  orgId: OrgId,
  rows: readonly (SubmissionRow & { search_text: string })[],
): Promise<void> =>
  insertRows(
    tx,
    'submissions',
    [...COLUMNS, 'org_id', 'search_text'],
    rows.map((row) => ({ ...row, org_id: orgId })),
  )

export const updateSubmissionRow = async (
  tx: Tx,
  orgId: OrgId,
  { id, ...row }: SubmissionRow,
  search_text: string,
): Promise<void> => {
  const { status, priority, flagged, assignee_id, notes, resolved_by, resolved_at, viewed_at, updated_at } = row
  await tx
    .updateTable('submissions')
    .set({
      status,
      priority,
      flagged,
      assignee_id,
      notes,
      resolved_by,
      resolved_at,
      viewed_at,
      updated_at,
      search_text,
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Only the number of a submission stays. */
export const eraseRow = async (
  tx: Tx,
  orgId: OrgId,
  { id, page_id, number }: Pick<SubmissionRow, 'id' | 'page_id' | 'number'>,
  now: string,
): Promise<void> => {
  await tx.deleteFrom('submissions').where('org_id', '=', orgId).where('id', '=', id).execute()
  await tx.insertInto('erased_submissions').values({ id, org_id: orgId, page_id, number, erased_at: now }).execute()
}

const blocksById = compiled((db: Db, orgId: OrgId, pageId: string) =>
  db
    .selectFrom('page_blocks as b')
    .innerJoin('pages as p', 'p.id', 'b.page_id')
    .select(['b.blocks', 'p.default_language'])
    .where('b.org_id', '=', orgId)
    .where('p.org_id', '=', orgId)
    .where('b.page_id', '=', pageId),
)

/** What the form of a page asks for; undefined if the page was deleted. */
export const selectForm = async (db: Db, orgId: OrgId, pageId: string) => (await blocksById(db, orgId, pageId))[0]
