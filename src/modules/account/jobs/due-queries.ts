import { sql } from 'kysely'
import {
  columnsOf,
  type Database,
  type Db,
  forUpdate,
  insertRows,
  type Row,
  runWithoutResult,
  type Tx,
} from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsOf('jobs')
export type DueRow = Row<'jobs', typeof COLUMNS>

/** Returns the first organisation after this one that has a due job, unless one of its jobs is leased or waits to be retried. */
export async function selectDueOrganisation(db: Db, after: string, now: string): Promise<OrgId | undefined> {
  const { rows } = await sql<{ org_id: OrgId }>`
    select "org_id" from "jobs" where "due_at" <= ${now} and "org_id" > ${after} and not exists (
      select 1 from "jobs" as "held" where "held"."org_id" = "jobs"."org_id" and "held"."due_at" > ${now})
    order by "org_id" limit 1`.execute(db)
  return rows[0]?.org_id
}

/** The oldest job that is not finished, whether or not it is due: the jobs of an organisation run one after the other. */
export const lockOldest = (tx: Tx, orgId: OrgId): Promise<DueRow | undefined> =>
  tx
    .selectFrom('jobs')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('due_at', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()

/** Returns whether the job is still leased until then, and locks it. */
export const lockLeased = async (tx: Tx, orgId: OrgId, id: string, lease: string): Promise<boolean> => {
  const job = tx.selectFrom('jobs').select('id').where('org_id', '=', orgId).where('id', '=', id)
  return (await job.where('due_at', '=', lease).modifyEnd(forUpdate(tx)).executeTakeFirst()) !== undefined
}

export const setJob = async (tx: Tx, orgId: OrgId, id: string, changes: Partial<DueRow>): Promise<void> => {
  const update = tx.updateTable('jobs').set(changes).where('org_id', '=', orgId).where('id', '=', id)
  await runWithoutResult(tx, update)
}

/** How many things a piece went through, and what became of them. */
export interface Counts {
  done: number
  failed: number
  changed: number
}

/** Adds a piece to the progress of a job. */
export const addProgress = async (
  tx: Tx,
  orgId: OrgId,
  id: string,
  { done, failed, changed }: Counts,
  changes: Partial<DueRow>,
): Promise<void> => {
  const update = tx
    .updateTable('jobs')
    .set(({ eb }) => ({
      ...changes,
      done: eb('done', '+', done),
      failed: eb('failed', '+', failed),
      changed: eb('changed', '+', changed),
      // What was found when the job began may have been changed or deleted before its turn.
      ...(changes.status === 'completed' && { total: eb('done', '+', done) }),
    }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
  await runWithoutResult(tx, update)
}

export const insertItems = (tx: Tx, rows: readonly Row<'job_items'>[]): Promise<void> =>
  insertRows(tx, 'job_items', rows)

/** Makes all leased jobs due now. Only safe if no other process holds a lease. */
export const endLeases = async ({ kysely }: Database, now: string): Promise<void> => {
  await sql`update "jobs" set "due_at" = ${now} where "due_at" > ${now}`.execute(kysely)
}

/** Of all organisations. There are few of each. */
export const countUnfinishedJobs = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from "jobs" where "due_at" is not null`.execute(db)
  return Number(rows[0]?.count)
}
