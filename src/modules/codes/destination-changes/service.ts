import { DAY_MS, toMs } from '../../../platform/clock/index.ts'
import { ApiError, unprocessable } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { lockJob, startJob } from '../../account/jobs/index.ts'
import { requireManage } from '../../account/scopes/index.ts'
import { requireDestinationUrl, toDestination } from '../destinations/index.ts'
import { findGroup } from '../qr-groups/index.ts'
import { type DestinationChange, type DestinationChangeCreate, kindsOf, UNDO_DAYS } from './contract.ts'
import { survey, type Wanted } from './find-owners.ts'
import { areasOf } from './owners.ts'
import type { UndoInput } from './undo-job.ts'

/** Nobody reads more before they decide. */
const SHOWN_MAX = 100

export async function changeDestinations(
  ctx: Context,
  { from, filter = {}, to, dry_run }: DestinationChangeCreate,
): Promise<DestinationChange> {
  const areas = areasOf(kindsOf(filter))
  requireManage(ctx, areas)
  await requireDestinationUrl(ctx.read, ctx.orgId, to, 'to')
  await requireOwnGroup(ctx, filter.group_id)
  const wanted: Wanted = { from, to, filter, askedAt: ctx.now }
  const { count, shown } = await survey(ctx.readLong, ctx.orgId, wanted, dry_run ? SHOWN_MAX : 0)
  if (dry_run) {
    const data = shown.map(({ kind, id, name, ...columns }) => ({
      kind,
      id,
      name,
      destination: toDestination(columns),
    }))
    return { ...NOTHING, dry_run, count, truncated: count > data.length, data }
  }
  return ctx.write(async (tx) => {
    const { id } = await startJob(tx, ctx, { kind: 'destination_change', input: wanted, areas, total: count })
    return { ...NOTHING, count, undo_id: id, job_id: id }
  })
}

/** The id of a change is that of its job: what is undone is what the job has done. */
export const undoChange = (ctx: Context, id: string): Promise<DestinationChange> =>
  ctx.write(async (tx) => {
    const change = await lockJob(tx, ctx.orgId, id, 'destination_change')
    if (change === undefined)
      throw new ApiError('not_found', 'There is no change of destinations with this undo_id in your organisation.')
    const { areas, changed } = change
    requireManage(ctx, areas)
    if (!change.isFinished) throw unfinished(id)
    if (toMs(change.created_at) + UNDO_DAYS * DAY_MS <= toMs(ctx.now))
      throw new ApiError('gone', `A change can be undone for ${UNDO_DAYS} days.`)
    const input: UndoInput = { change_id: id }
    const job = await startJob(tx, ctx, { kind: 'destination_change_undo', input, areas, total: changed, undoes: id })
    return { ...NOTHING, count: changed, job_id: job.id }
  })

const NOTHING = {
  object: 'destination_change' as const,
  dry_run: false,
  count: 0,
  truncated: false,
  data: [],
  undo_id: null,
  job_id: null,
}

const unfinished = (id: string): ApiError =>
  new ApiError('conflict', `The change is not finished. Wait for its job, or cancel it with POST /jobs/${id}/cancel.`, {
    details: { reason: 'not_finished' },
  })

async function requireOwnGroup({ read, orgId }: Context, groupId: string | undefined): Promise<void> {
  if (groupId === undefined || (await findGroup(read, orgId, groupId)) !== undefined) return
  throw unprocessable('filter.group_id', groupId, 'there is no QR group with this id in your organisation')
}
