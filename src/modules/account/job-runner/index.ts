import { type LoopTurns, QueueFull } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ClaimedWork, type Turn } from '../../../platform/jobs/claimed-work.ts'
import { PacedWriter } from '../../../platform/jobs/paced-writer.ts'
import { watchDatabase } from '../../../platform/telemetry/database-gauges.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import {
  type ClaimedJob,
  claimJob,
  countUnfinishedJobs,
  endLeases,
  findDueOrganisation,
  JOBS_TOPIC,
  type JobCatalogue,
  releaseJob,
  retryJob,
} from '../jobs/index.ts'
import { takePiece } from './take-piece.ts'

interface JobServices {
  database: Database
  catalogue: JobCatalogue
  turns: LoopTurns
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** Polling finds what is not announced: retries, and jobs that a crashed worker had claimed. */
const POLL_MS = SECOND_MS
/** Sorts before the IDs of all organisations. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** All of them would wait for the same writer, and for its rests. */
const RUNNING_MAX = 1
/** How much of a job is carried out before it is the turn of another organisation: a second or two. */
const TURN_PIECES_MAX = 10

const FAILURES = { claim: 'failed to look for jobs', work: 'failed to store what became of a job' }

/** Carries out jobs. Returns a function that stops it after the piece in progress. */
export function startJobs(services: JobServices): () => Promise<void> {
  const { database, metrics } = services
  watchDatabase(metrics.registry, () => countUnfinishedJobs(database.readLong), [
    { name: 'jobs_unfinished', help: 'Jobs that wait or run.', valuesOf: (value) => [{ value }] },
  ])
  const runner = new JobRunner(services)
  return () => runner.close()
}

/** Organisations take turns, in the order of their IDs. So a short job of one does not wait for a very long one of another. */
class JobRunner {
  readonly #services: JobServices
  readonly #writer: PacedWriter
  readonly #work: ClaimedWork
  readonly #stopListening: () => void
  #last = BEFORE_ALL
  #isClosing = false
  /** An outage is logged once, not every second. */
  #hasFailed = false

  constructor(services: JobServices) {
    const { database, turns } = services
    this.#services = services
    this.#writer = new PacedWriter(database, turns)
    this.#work = new ClaimedWork({
      runningMax: RUNNING_MAX,
      pollMs: POLL_MS,
      takeTurn: () => this.#takeTurn(),
      failed: (error, step) => this.#logFailure(error, FAILURES[step]),
    })
    const wake = () => this.#work.wake()
    this.#stopListening = database.listen({
      changed: (topic) => {
        if (topic === JOBS_TOPIC) wake()
      },
      interrupted: () => {},
      resumed: wake,
    })
    void this.#endCrashedLeases().finally(wake)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    await this.#work.close()
  }

  /** On SQLite we are the only process, so any remaining lease belongs to a crashed run. */
  async #endCrashedLeases(): Promise<void> {
    const { database, clock } = this.#services
    if (database.engine !== 'sqlite') return
    await endLeases(database, timestamp(clock())).catch((error) => this.#logFailure(error, FAILURES.claim))
  }

  async #takeTurn(): Promise<Turn> {
    const { database, clock } = this.#services
    const find = (after: string) => findDueOrganisation(database.read, after, timestamp(clock()))
    const orgId = (await find(this.#last)) ?? (this.#last === BEFORE_ALL ? undefined : await find(BEFORE_ALL))
    if (orgId === undefined) return { isDue: false }
    this.#last = orgId
    const claimed = await this.#writer.write(orgId, (tx) => claimJob(tx, orgId, clock()))
    return { isDue: true, work: claimed && (() => this.#run(claimed)) }
  }

  async #run(claimed: ClaimedJob): Promise<void> {
    const { clock } = this.#services
    let job: ClaimedJob = claimed
    try {
      for (let pieces = 0; pieces < TURN_PIECES_MAX && !this.#isClosing; pieces++) {
        const next = await takePiece({ ...this.#services, writer: this.#writer }, job)
        this.#hasFailed = false
        if (next === undefined) return
        job = next
      }
    } catch (error) {
      return this.#fail(job, error)
    }
    await this.#writer.write(job.orgId, (tx) => releaseJob(tx, job, clock()))
  }

  async #fail(job: ClaimedJob, error: unknown): Promise<void> {
    // Not the fault of the job: it is due again when the lease ends.
    if (error instanceof DatabaseUnavailable || error instanceof QueueFull) throw error
    const { clock, log } = this.#services
    const outcome = await this.#writer.write(job.orgId, (tx) => retryJob(tx, job, clock()))
    log.error({ err: error, job_id: job.id, outcome }, 'failed to carry out a piece of a job')
  }

  #logFailure(error: unknown, message: string): void {
    if (!this.#hasFailed) this.#services.log.error({ err: error }, message)
    this.#hasFailed = true
  }
}
