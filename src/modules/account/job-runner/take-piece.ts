import { withAudit } from '../../../platform/audit/index.ts'
import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Context } from '../../../platform/http/index.ts'
import type { PacedWriter } from '../../../platform/jobs/paced-writer.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { findLostRight } from '../callers/index.ts'
import {
  type ClaimedJob,
  isStillClaimed,
  type JobCatalogue,
  type JobKind,
  type JobOutcome,
  type JobTarget,
  type Piece,
  stopJob,
  storePiece,
  toJobError,
} from '../jobs/index.ts'
import { jobContext } from './job-context.ts'

export interface PieceServices {
  database: Database
  writer: PacedWriter
  catalogue: JobCatalogue
  clock: Clock
  log: Logger
}

/**
 * Carries out the next piece of a job. The change, what became of each target and the place where the job goes on are one
 * transaction, so that after a crash nothing is repeated and nothing is left out. Returns the job as it is then; nothing if it
 * is finished, or not this worker's any more.
 */
export async function takePiece(services: PieceServices, job: ClaimedJob): Promise<ClaimedJob | undefined> {
  const { database, catalogue, clock, log } = services
  const kind = catalogue.get(job.kind) as JobKind<unknown> | undefined
  if (kind === undefined) throw new Error(`this version cannot carry out ${job.kind}`)
  // A large change of the organisation may be committed, but not written yet.
  await database.settled(job.orgId)
  const piece = await kind.nextPiece(jobContext(database, job, timestamp(clock()), log), job.input, job.place)
  try {
    return await write(services, job, (tx, ctx) => piece.apply(tx, ctx, piece.targets), piece.end)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return takeEach(services, job, piece)
  }
}

/** One target that is refused must not stop the others. */
async function takeEach(services: PieceServices, job: ClaimedJob, piece: Piece): Promise<ClaimedJob | undefined> {
  const last = piece.targets.at(-1)
  let current: ClaimedJob | undefined = job
  for (const target of piece.targets) {
    if (current === undefined) return undefined
    current = await takeOne(services, current, piece, target, target === last ? piece.end : target.place)
  }
  return current
}

async function takeOne(
  services: PieceServices,
  job: ClaimedJob,
  piece: Piece,
  target: JobTarget,
  end: string | null,
): Promise<ClaimedJob | undefined> {
  const { kind, id, name } = target
  try {
    return await write(services, job, (tx, ctx) => piece.apply(tx, ctx, [target]), end)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return write(services, job, async () => [{ kind, id, name, result: 'failed', error: toJobError(error) }], end)
  }
}

const write = (
  { database, writer, clock, log }: PieceServices,
  job: ClaimedJob,
  work: (tx: Tx, ctx: Context) => Promise<JobOutcome[]>,
  end: string | null,
): Promise<ClaimedJob | undefined> =>
  writer.write(job.orgId, async (tx) => {
    if (!(await isStillClaimed(tx, job))) return undefined
    const now = timestamp(clock())
    const lost = await findLostRight(tx, job.orgId, job.actor, job.areas, now)
    if (lost !== undefined) {
      await stopJob(tx, job, { error: 'forbidden', message: lost }, now)
      return undefined
    }
    const ctx = jobContext(database, job, now, log)
    const outcomes = await withAudit(tx, job.orgId, job.actor, now, () => work(tx, ctx))
    return storePiece(tx, job, outcomes, end, now)
  })
