import { Counter } from 'prom-client'
import { type LoopTurns, QueueFull } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { PacedWriter } from '../../../platform/jobs/paced-writer.ts'
import { type LlmClient, LlmError } from '../../../platform/llm/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import {
  claimVectors,
  endVectorLeases,
  failVectors,
  prepareVectors,
  selectOrganisationDueForVectors,
  setOthersDue,
  storeVectors,
  type VectorClaim,
} from '../answering/index.ts'

interface EmbeddingServices {
  database: Database
  client: LlmClient
  /** The name of the model for embeddings. */
  model: string
  turns: LoopTurns
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** New passages are not announced: nobody waits for their vectors. */
const POLL_MS = 2 * SECOND_MS
/** Sorts before the IDs of all organisations. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
/** After a failure of the endpoint, no organisation is tried for this long. It doubles with each failure, up to the maximum. */
const PAUSE_MS = 10 * SECOND_MS
const PAUSE_MS_MAX = 600 * SECOND_MS

/** Computes vectors of passages that have none. Returns a function that stops it after the current batch. */
export function startEmbeddings(services: EmbeddingServices): () => Promise<void> {
  const embedder = new Embedder(services)
  return () => embedder.close()
}

/**
 * Organisations take turns, in the order of their IDs: a turn is one batch.
 *
 * States:
 * - idle → running: the poll timer calls `#wake`.
 * - running → running: an organisation had work.
 * - running → idle: no organisation has work, or the endpoint failed. After a failure, `#wake` does nothing for a while.
 * - any → closed: `close` cancels the request in progress and stops. The lease ends by itself.
 */
class Embedder {
  readonly #services: EmbeddingServices
  readonly #writer: PacedWriter
  readonly #batches: Counter<'outcome'>
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout
  #last = BEFORE_ALL
  #running: Promise<void> | undefined
  #failures = 0
  #pausedUntilMs = 0

  constructor(services: EmbeddingServices) {
    const { database, turns, metrics } = services
    this.#services = services
    this.#writer = new PacedWriter(database, turns)
    this.#batches = new Counter({
      name: 'waymark_vector_batches_total',
      help: 'Batches of passages for which vectors were computed, by their outcome.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    })
    this.#running = this.#prepare().finally(() => {
      this.#running = undefined
      this.#wake()
    })
    this.#timer = setInterval(() => this.#wake(), POLL_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort(new Error('the service is stopping'))
    await this.#running
  }

  get #isClosing(): boolean {
    return this.#closing.signal.aborted
  }

  async #prepare(): Promise<void> {
    const { database, model, clock, log } = this.#services
    const now = timestamp(clock())
    try {
      // On SQLite we are the only process, so any remaining lease belongs to a crashed run.
      if (database.engine === 'sqlite') await endVectorLeases(database, now)
      await setOthersDue(database, model, now)
    } catch (error) {
      log.error({ err: error }, 'failed to look for vectors of another model')
    }
  }

  #wake(): void {
    if (this.#running !== undefined || this.#isClosing || this.#services.clock() < this.#pausedUntilMs) return
    this.#running = this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isClosing && (await this.#takeTurn()));
    } catch (error) {
      if (!this.#isClosing) this.#pause({ err: error })
    }
  }

  /** Returns false if no organisation has work, or the endpoint does not work. */
  async #takeTurn(): Promise<boolean> {
    const { database, model, clock } = this.#services
    const now = timestamp(clock())
    const find = (after: string) => selectOrganisationDueForVectors(database.read, after, now)
    const orgId = (await find(this.#last)) ?? (await find(BEFORE_ALL))
    if (orgId === undefined) return false
    this.#last = orgId
    try {
      const claim = await this.#writer.write(orgId, (tx) => claimVectors(tx, orgId, model, clock()))
      return claim === undefined || (await this.#embed(claim))
    } catch (error) {
      // Too much of this organisation is waiting already. The turn of the next one comes anyway.
      if (error instanceof QueueFull) return true
      throw error
    }
  }

  async #embed(claim: VectorClaim): Promise<boolean> {
    const { database, client, clock } = this.#services
    const embed = async (texts: readonly string[]) => {
      const vectors = await client.embed(texts, this.#closing.signal)
      // Only now: a batch may have nothing to compute, which does not show that the endpoint works.
      this.#failures = 0
      return vectors
    }
    let batch: Awaited<ReturnType<typeof prepareVectors>>
    try {
      batch = await prepareVectors(database.readLong, claim, embed)
    } catch (error) {
      if (this.#isClosing || !(error instanceof LlmError)) throw error
      const isOfText = !error.isOfEndpoint
      this.#batches.inc({ outcome: isOfText ? 'refused' : 'failed' })
      await this.#writer.write(claim.orgId, (tx) => failVectors(tx, claim, isOfText, clock()))
      if (!isOfText) this.#pause({ reason: error.kind, status: error.status })
      return isOfText
    }
    await this.#writer.write(claim.orgId, (tx) => storeVectors(tx, claim, batch, timestamp(clock())))
    this.#batches.inc({ outcome: 'stored' })
    return true
  }

  #pause(details: object): void {
    const { clock, log, model } = this.#services
    if (this.#failures === 0)
      log.warn({ model, ...details }, 'vectors of passages cannot be computed, trying again later')
    this.#pausedUntilMs = clock() + Math.min(PAUSE_MS * 2 ** this.#failures, PAUSE_MS_MAX)
    this.#failures++
  }
}
