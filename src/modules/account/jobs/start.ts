import { noteCreated } from '../../../platform/audit/index.ts'
import { toMs } from '../../../platform/clock/index.ts'
import { ConstraintViolation } from '../../../platform/db/failures.ts'
import { announce, type Db, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import { newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import { lockOrganisation } from '../organisations/index.ts'
import type { Area } from '../scopes/index.ts'
import type { Job, JobKindName } from './contract.ts'
import { countUnfinished, insertJob, type JobItemRow, type JobRow, lockJobRow, selectChangedItems } from './queries.ts'
import { areasOf, isFinished, toAreas, toJob } from './service.ts'

/** Announced when there is a job to carry out. The key is the organisation. */
export const JOBS_TOPIC = 'jobs'

/** They run one after the other, so more would only wait. */
const UNFINISHED_MAX = 5

interface NewJob {
  kind: JobKindName
  /** What was asked for, for its kind. */
  input: object
  /** The caller has to manage these areas, and still has to when each piece is carried out. */
  areas: readonly Area[]
  /** How many things it is about, as far as that is known. */
  total: number
  /** The finished job whose changes it takes back. */
  undoes?: string
}

/** Begins long work, which is carried out once this transaction is committed. Throws 422 if too much of it waits already. */
export async function startJob(tx: Tx, ctx: Context, { kind, input, areas, total, undoes }: NewJob): Promise<Job> {
  await lockOrganisation(tx, ctx.orgId)
  if ((await countUnfinished(tx, ctx.orgId)) >= UNFINISHED_MAX) throw tooMany()
  const { actor, now } = ctx
  const row: JobRow = {
    id: newIdAt(toMs(now)),
    kind,
    areas: toAreas(areas),
    status: 'queued',
    input,
    undoes: undoes ?? null,
    place: null,
    total,
    done: 0,
    failed: 0,
    changed: 0,
    error: null,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    address: actor.address,
    user_agent: actor.userAgent,
    failures: 0,
    due_at: now,
    created_at: now,
    started_at: null,
    finished_at: null,
  }
  await insertUnlessUndone(tx, ctx.orgId, row)
  const job = toJob(row)
  noteCreated(tx, job)
  await announce(tx, JOBS_TOPIC, [ctx.orgId])
  return job
}

/** The index decides: two requests could both find that a job was not undone yet. */
async function insertUnlessUndone(tx: Tx, orgId: OrgId, row: JobRow): Promise<void> {
  try {
    await insertJob(tx, orgId, row)
  } catch (error) {
    if (!(error instanceof ConstraintViolation) || error.constraint !== 'jobs_undoes_key') throw error
    throw new ApiError('conflict', 'This was undone already, or is being undone.', { details: { reason: 'undone' } })
  }
}

const tooMany = (): ApiError =>
  new ApiError(
    'unprocessable',
    `An organisation can have at most ${UNFINISHED_MAX} jobs that are not finished. Wait for one, or cancel it.`,
    { details: { reason: 'too_many_jobs', limit: UNFINISHED_MAX } },
  )

/** What a family may know about a job of its own. */
export interface EarlierJob {
  id: string
  areas: Area[]
  /** How many things it has changed. */
  changed: number
  isFinished: boolean
  created_at: string
}

/** Finds a job of this kind, and lets no other transaction change it meanwhile. */
export async function lockJob(tx: Tx, orgId: OrgId, id: string, kind: JobKindName): Promise<EarlierJob | undefined> {
  const row = await lockJobRow(tx, orgId, id)
  if (row?.kind !== kind) return undefined
  const { changed, created_at } = row
  return { id, areas: areasOf(row), changed, isFinished: isFinished(row), created_at }
}

/** The items that a job has changed, oldest first, after one of them. */
export const listChangedItems = (
  db: Db,
  orgId: OrgId,
  jobId: string,
  after: string,
  limit: number,
): Promise<Pick<JobItemRow, 'id' | 'target_kind' | 'target_id' | 'name' | 'memo'>[]> =>
  selectChangedItems(db, orgId, jobId, after, limit)
