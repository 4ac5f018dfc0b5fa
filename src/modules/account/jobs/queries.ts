import { type SqlBool, sql } from 'kysely'
import type { Position } from '../../../platform/contract/pagination.ts'
import { columnsExcept, type Db, forUpdate, inRange, type Row, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const COLUMNS = columnsExcept('jobs', 'org_id')
export type JobRow = Row<'jobs', typeof COLUMNS>

const ITEM_COLUMNS = columnsExcept('job_items', 'org_id', 'job_id')
export type JobItemRow = Row<'job_items', typeof ITEM_COLUMNS>

export interface Filters {
  kind: string | undefined
  status: string | undefined
  /** Leaves out the jobs of these areas. */
  hiddenAreas: readonly string[]
}

/** Newest first. */
export function selectJobs(
  db: Db,
  orgId: OrgId,
  { kind, status, hiddenAreas }: Filters,
  after: Position | undefined,
  limit: number,
): Promise<JobRow[]> {
  const given = Object.entries({ kind, status }).filter(
    (filter): filter is ['kind' | 'status', string] => filter[1] !== undefined,
  )
  // Each filter has an index of its own. The jobs that one of them finds are few enough to look at for the other.
  const [first, ...others] = given
  let jobs = db.selectFrom('jobs').select(COLUMNS).where('org_id', '=', orgId)
  for (const [column, value] of others) jobs = jobs.where(column, '=', value as JobRow['kind'] & JobRow['status'])
  for (const area of hiddenAreas) jobs = jobs.where(sql<SqlBool>`areas not like ${`%,${area},%`}`)
  return inRange(db, jobs, {
    filters: first === undefined ? [] : [first],
    order: { column: 'created_at', direction: 'desc' },
    after: after && { value: after.created_at, id: after.id },
  })
    .limit(limit)
    .execute()
}

export const selectJob = (db: Db, orgId: OrgId, id: string): Promise<JobRow | undefined> =>
  db.selectFrom('jobs').select(COLUMNS).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const lockJobRow = (tx: Tx, orgId: OrgId, id: string): Promise<JobRow | undefined> =>
  tx
    .selectFrom('jobs')
    .select(COLUMNS)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .modifyEnd(forUpdate(tx))
    .executeTakeFirst()

/** There are few. */
export const countUnfinished = async (db: Db, orgId: OrgId): Promise<number> => {
  const jobs = db.selectFrom('jobs').select('id').where('org_id', '=', orgId).where('due_at', 'is not', null)
  return (await jobs.execute()).length
}

export const insertJob = async (tx: Tx, orgId: OrgId, row: JobRow): Promise<void> => {
  await tx
    .insertInto('jobs')
    .values({ ...row, org_id: orgId })
    .execute()
}

export const updateJob = async (tx: Tx, orgId: OrgId, id: string, changes: Partial<JobRow>): Promise<void> => {
  await tx.updateTable('jobs').set(changes).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Ids begin with their time. */
const itemsOf = (
  db: Db,
  orgId: OrgId,
  jobId: string,
  result: JobItemRow['result'] | undefined,
  direction: 'asc' | 'desc',
  afterId: string | undefined,
) =>
  inRange(db, db.selectFrom('job_items').select(ITEM_COLUMNS).where('org_id', '=', orgId), {
    filters: [['job_id', jobId], ...(result === undefined ? [] : ([['result', result]] as const))],
    order: { column: 'id', direction },
    ...(afterId !== undefined && { after: { value: afterId, id: afterId } }),
  })

/** Newest first. */
export const selectItems = (
  db: Db,
  orgId: OrgId,
  jobId: string,
  result: JobItemRow['result'] | undefined,
  after: Position | undefined,
  limit: number,
): Promise<JobItemRow[]> => itemsOf(db, orgId, jobId, result, 'desc', after?.id).limit(limit).execute()

/** Those that the job has changed, oldest first. */
export const selectChangedItems = (
  db: Db,
  orgId: OrgId,
  jobId: string,
  afterId: string,
  limit: number,
): Promise<JobItemRow[]> => itemsOf(db, orgId, jobId, 'changed', 'asc', afterId).limit(limit).execute()
