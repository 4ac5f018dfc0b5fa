import type { Actor } from '../../../platform/audit/index.ts'
import { SECOND_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import { newIdAt, type OrgId } from '../../../platform/ids/index.ts'
import type { Area } from '../scopes/index.ts'
import { JOB_ERROR_LENGTH_MAX, type Job } from './contract.ts'
import type { JobOutcome } from './declaration.ts'
import { addProgress, type DueRow, insertItems, lockLeased, lockOldest, setJob } from './due-queries.ts'
import { areasOf } from './service.ts'

/**
 * What becomes of a job. `due_at` is when a worker should look at it: a claim sets it to the end of the lease, so that the job
 * becomes due again if the worker dies. It is null once the job is finished.
 *
 * - queued → running: a worker has claimed it. The others of its organisation wait until it is finished.
 * - running → running: a piece was stored, together with what it has changed and the place where the next one begins; or it
 *   failed, and is tried again later.
 * - running → completed: the last piece was stored.
 * - running → failed: its caller may not do it any more, or `FAILURES_MAX` attempts in a row have failed.
 * - queued or running → cancelled: somebody cancelled it.
 */

/** After this time another worker may claim the job. A piece takes milliseconds, on a busy machine much longer. */
const LEASE_MS = 60 * SECOND_MS
const FAILURES_MAX = 5
const RETRY_MS = 10 * SECOND_MS

/** A job that a worker has leased. */
export interface ClaimedJob {
  orgId: OrgId
  id: string
  kind: string
  input: unknown
  /** Where the next piece begins. */
  place: string | null
  /** Who asked for it. */
  actor: Actor
  /** What the caller has to manage. */
  areas: Area[]
  failures: number
  /** The end of the lease. A job with another value was claimed by another worker since, or is finished. */
  lease: Timestamp
}

/** Leases the oldest job of an organisation, if it is due. */
export async function claimJob(tx: Tx, orgId: OrgId, nowMs: number): Promise<ClaimedJob | undefined> {
  const row = await lockOldest(tx, orgId)
  const now = timestamp(nowMs)
  if (row === undefined || (row.due_at as string) > now) return undefined
  const lease = leaseFrom(nowMs)
  await setJob(tx, orgId, row.id, { status: 'running', due_at: lease, started_at: row.started_at ?? now })
  const { id, kind, input, place, failures } = row
  return { orgId, id, kind, input, place, failures, actor: actorOf(row), areas: areasOf(row), lease }
}

const leaseFrom = (nowMs: number): Timestamp => timestamp(nowMs + LEASE_MS)

const actorOf = (row: DueRow): Actor => ({
  kind: row.actor_kind,
  id: row.actor_id,
  name: row.actor_name,
  address: row.address,
  userAgent: row.user_agent,
})

/** Locks the job for the next piece. False if it is not this worker's any more. */
export const isStillClaimed = (tx: Tx, { orgId, id, lease }: ClaimedJob): Promise<boolean> =>
  lockLeased(tx, orgId, id, lease)

/**
 * Stores a piece, in the transaction that carries it out. Returns the job with a new lease, or nothing if this was the last
 * piece.
 */
export async function storePiece(
  tx: Tx,
  job: ClaimedJob,
  outcomes: readonly JobOutcome[],
  end: string | null,
  now: Timestamp,
): Promise<ClaimedJob | undefined> {
  const { orgId, id } = job
  await insertItems(tx, toItems(job, outcomes, now))
  const count = (result: JobOutcome['result']) => outcomes.filter((outcome) => outcome.result === result).length
  const counts = { done: outcomes.length, failed: count('failed'), changed: count('changed') }
  if (end === null) {
    await addProgress(tx, orgId, id, counts, { status: 'completed', due_at: null, finished_at: now })
    return undefined
  }
  const lease = leaseFrom(toMs(now))
  await addProgress(tx, orgId, id, counts, { place: end, failures: 0, due_at: lease })
  return { ...job, place: end, failures: 0, lease }
}

/** Ids of one moment are sorted, so that the items are listed in the order in which they were done. */
function toItems({ orgId, id }: ClaimedJob, outcomes: readonly JobOutcome[], now: Timestamp) {
  const ids = outcomes.map(() => newIdAt(toMs(now))).sort()
  return outcomes.map((outcome, n) => ({
    id: ids[n] as string,
    org_id: orgId,
    job_id: id,
    target_kind: outcome.kind,
    target_id: outcome.id,
    name: outcome.name,
    result: outcome.result,
    reason: outcome.reason ?? null,
    error: outcome.error ?? null,
    memo: outcome.memo ?? null,
    created_at: now,
  }))
}

/** Lets any worker go on with it. */
export async function releaseJob(tx: Tx, job: ClaimedJob, nowMs: number): Promise<void> {
  if (await isStillClaimed(tx, job)) await setJob(tx, job.orgId, job.id, { due_at: timestamp(nowMs) })
}

/** Stops a job for good. */
export const stopJob = (tx: Tx, { orgId, id }: ClaimedJob, error: NonNullable<Job['error']>, now: Timestamp) =>
  setJob(tx, orgId, id, { status: 'failed', error, due_at: null, finished_at: now })

/** Schedules another attempt, or stops the job after the last one. */
export async function retryJob(
  tx: Tx,
  job: ClaimedJob,
  nowMs: number,
): Promise<'again' | 'given up' | 'not ours any more'> {
  if (!(await isStillClaimed(tx, job))) return 'not ours any more'
  const failures = job.failures + 1
  if (failures < FAILURES_MAX) {
    await setJob(tx, job.orgId, job.id, { failures, due_at: timestamp(nowMs + RETRY_MS * failures) })
    return 'again'
  }
  await stopJob(tx, job, GIVEN_UP, timestamp(nowMs))
  return 'given up'
}

const GIVEN_UP = {
  error: 'internal_error',
  message: 'Something failed on our side several times. What the job has done stays.',
}

/** The error of an item or a job, as responses show it. */
export const toJobError = ({ code, message }: { code: string; message: string }): NonNullable<Job['error']> => ({
  error: code,
  message: message.slice(0, JOB_ERROR_LENGTH_MAX).toWellFormed(),
})
