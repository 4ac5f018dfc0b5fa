import {
  type Claim,
  claimForIndexing,
  endLeases,
  failIndexing,
  INDEXING_TOPIC,
  indexClaimed,
} from '../../modules/knowledge/articles/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../platform/db/failures.ts'
import type { Database } from '../../platform/db/index.ts'
import type { OrgId } from '../../platform/ids/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'

/** Polling finds what is not announced: retries, and articles that a crashed worker had claimed. */
const POLL_MS = SECOND_MS
/** Articles per transaction. Larger transactions are faster overall, but block other writers for longer. */
const BATCH_MAX = 25

interface IndexingServices {
  database: Database
  clock: Clock
  log: Logger
}

/** Keeps the search index of articles up to date. Returns a function that stops it after the current batch. */
export function startIndexing(services: IndexingServices): () => Promise<void> {
  const indexer = new Indexer(services)
  return () => indexer.close()
}

/**
 * States:
 * - idle → running: an announcement or the poll timer calls `#wake`.
 * - running → running: the last claim was not empty, or `#wake` was called meanwhile.
 * - running → idle: nothing is due.
 * - any → closed: `close` stops after the current batch.
 */
class Indexer {
  readonly #services: IndexingServices
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
  #hasMore = false
  #isClosing = false
  /** So that an outage is logged once, not every second. */
  #hasFailed = false

  constructor(services: IndexingServices) {
    this.#services = services
    const wake = () => this.#wake()
    this.#stopListening = services.database.listen({
      changed: (topic) => {
        if (topic === INDEXING_TOPIC) wake()
      },
      interrupted: () => {},
      resumed: wake,
    })
    this.#timer = setInterval(wake, POLL_MS)
    this.#timer.unref()
    this.#running = this.#endCrashedLeases().finally(() => {
      this.#running = undefined
      wake()
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    clearInterval(this.#timer)
    await this.#running
  }

  /** On SQLite we are the only process, so any remaining lease belongs to a crashed run. */
  async #endCrashedLeases(): Promise<void> {
    const { database, clock } = this.#services
    if (database.engine === 'sqlite') await this.#logFailure(() => endLeases(database, timestamp(clock())))
  }

  #wake(): void {
    this.#hasMore = true
    if (this.#running !== undefined || this.#isClosing) return
    this.#running = this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    while (this.#hasMore && !this.#isClosing) {
      this.#hasMore = false
      await this.#logFailure(async () => {
        const { database, clock } = this.#services
        const claim = await claimForIndexing(database, clock(), BATCH_MAX)
        for (const [orgId, ids] of claim.byOrganisation) await this.#index(orgId, ids, claim)
        if (claim.byOrganisation.size > 0) this.#hasMore = true
      })
    }
  }

  /** Indexes all in one transaction. If that fails, retries them one by one, so that one bad article blocks no other. */
  async #index(orgId: OrgId, ids: readonly string[], { lease }: Pick<Claim, 'lease'>): Promise<void> {
    const { database, clock, log } = this.#services
    try {
      await database.write((tx) => indexClaimed(tx, orgId, ids, lease, timestamp(clock())))
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error
      if (ids.length > 1) {
        for (const id of ids) await this.#index(orgId, [id], { lease })
        return
      }
      const [id = ''] = ids
      const outcome = await database.write((tx) => failIndexing(tx, orgId, id, lease, clock()))
      log.error({ err: error, article_id: id, outcome }, 'failed to index an article')
    }
  }

  async #logFailure(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) this.#services.log.error({ err: error }, 'indexing failed, the next poll tries again')
      this.#hasFailed = true
    }
  }
}
