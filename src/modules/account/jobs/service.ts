import type { z } from 'zod'
import { noteChange } from '../../../platform/audit/index.ts'
import type { CursorPage, Position } from '../../../platform/contract/pagination.ts'
import type { Db } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { type Context, cursorPage, hasScope } from '../../../platform/http/index.ts'
import { AREAS, type Area, requireManage } from '../scopes/index.ts'
import type { Job, JobItem, jobs } from './contract.ts'
import { type JobItemRow, type JobRow, lockJobRow, selectItems, selectJob, selectJobs, updateJob } from './queries.ts'

type ListQuery = z.output<typeof jobs.list.declared.query>
type ItemQuery = z.output<typeof jobs.listItems.declared.query>

export function listJobs(ctx: Context, query: ListQuery, after: Position | undefined): Promise<CursorPage<Job>> {
  const { kind, status } = query
  const hiddenAreas = AREAS.filter((area) => !hasScope(ctx.credential, `${area}.view`))
  // Each filter has an index. Several together, or jobs that are not shown, may be many to look at.
  const db = (kind !== undefined && status !== undefined) || hiddenAreas.length > 0 ? ctx.readLong : ctx.read
  return cursorPage(query, (limit) => selectJobs(db, ctx.orgId, { kind, status, hiddenAreas }, after, limit), toJob)
}

export const getJob = async (ctx: Context, id: string): Promise<Job> => toJob(await requireJob(ctx, ctx.read, id))

export async function listJobItems(
  ctx: Context,
  id: string,
  query: ItemQuery,
  after: Position | undefined,
): Promise<CursorPage<JobItem>> {
  await requireJob(ctx, ctx.read, id)
  return cursorPage(query, (limit) => selectItems(ctx.read, ctx.orgId, id, query.result, after, limit), toJobItem)
}

/** The piece that is being written is completed, because it has locked the job. The next one finds it cancelled. */
export function cancelJob(ctx: Context, id: string): Promise<Job> {
  return ctx.write(async (tx) => {
    const row = visible(ctx, await lockJobRow(tx, ctx.orgId, id))
    requireManage(ctx, areasOf(row))
    if (row.status === 'cancelled') return toJob(row)
    if (isFinished(row)) throw new ApiError('conflict', 'This job is finished.', { details: { reason: 'finished' } })
    const cancelled = { status: 'cancelled' as const, due_at: null, finished_at: ctx.now }
    await updateJob(tx, ctx.orgId, id, cancelled)
    noteChange(tx, 'job.cancelled', { type: 'job', id })
    return toJob({ ...row, ...cancelled })
  })
}

const requireJob = async (ctx: Context, db: Db, id: string): Promise<JobRow> =>
  visible(ctx, await selectJob(db, ctx.orgId, id))

/** A job that the caller may not see does not exist for them. */
function visible(ctx: Context, row: JobRow | undefined): JobRow {
  if (row !== undefined && areasOf(row).every((area) => hasScope(ctx.credential, `${area}.view`))) return row
  throw new ApiError('not_found', 'There is no job with this id in your organisation.')
}

export const isFinished = ({ finished_at }: JobRow): boolean => finished_at !== null

export const toAreas = (areas: readonly Area[]): string => `,${areas.join()},`

export const areasOf = ({ areas }: Pick<JobRow, 'areas'>): Area[] => areas.split(',').filter(Boolean) as Area[]

export function toJob(row: JobRow): Job {
  const { id, kind, status, total, done, failed, created_at, started_at, finished_at } = row
  return {
    object: 'job',
    id,
    kind: kind as Job['kind'],
    status,
    progress: { total, done, failed },
    error: row.error as Job['error'],
    created_by: { type: row.actor_kind, id: row.actor_id, name: row.actor_name },
    created_at,
    started_at,
    finished_at,
  }
}

const toJobItem = ({ id, target_kind, target_id, name, result, reason, error, created_at }: JobItemRow): JobItem => ({
  object: 'job_item',
  id,
  target: { kind: target_kind, id: target_id },
  name,
  result,
  reason,
  error: error as JobItem['error'],
  created_at,
})
