import { sql } from 'kysely'
import {
  columnsExcept,
  compiled,
  compiledStatement,
  type Db,
  insertMissingRows,
  insertRows,
  type Row,
  runWithoutResult,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

export const COLUMNS = columnsExcept('submissions', 'org_id', 'search_text')
export type SubmissionRow = Row<'submissions', typeof COLUMNS>

const byId = compiled((db: Db, orgId: OrgId, id: string) =>
  db.selectFrom('submissions').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id),
)

export const selectSubmission = async (db: Db, orgId: OrgId, id: string): Promise<SubmissionRow | undefined> =>
  (await byId(db, orgId, id))[0]

/** Returns the ids of the keys that were not stored before. If they are assumed to be new, the transaction fails otherwise. */
export async function insertKeys(tx: Tx, rows: readonly Row<'submission_keys'>[], areNew: boolean): Promise<string[]> {
  // The same order everywhere keeps two processes from waiting for each other's keys.
  const inOrder = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  if (!areNew) return insertMissingRows(tx, 'submission_keys', inOrder)
  await insertRows(tx, 'submission_keys', inOrder)
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
    rows.map((row) => ({ ...row, org_id: orgId })),
  )

export const updateSubmissionRow = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  set: Partial<SubmissionRow> & { search_text: string },
): Promise<void> => {
  await tx.updateTable('submissions').set(set).where('org_id', '=', orgId).where('id', '=', id).execute()
}

export const countReply = async (tx: Tx, orgId: OrgId, id: string, now: string): Promise<void> => {
  await tx
    .updateTable('submissions')
    .set((row) => ({ reply_count: row('reply_count', '+', 1), updated_at: now }))
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
