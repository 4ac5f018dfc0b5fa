export { setAllDue as reindexAll } from './queries.ts'

import type { LoopTurns } from '../../../platform/bounded/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { PublicUrlOf } from '../../../platform/http/index.ts'
import { watchDatabase } from '../../../platform/telemetry/database-gauges.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import { createAnalyser } from '../article-search/index.ts'
import { INDEXING_TOPIC } from '../articles/index.ts'
import { countDue, endLeases } from './queries.ts'
import { Turns } from './turns.ts'

/** Polling finds what is not announced: retries, and articles that a crashed worker had claimed. */
const POLL_MS = SECOND_MS
/** What is beyond is not counted, so that an import of many articles does not slow down the metrics. */
const COUNTED_MAX = 100_000

interface IndexingServices {
  database: Database
  publicUrlOf: PublicUrlOf
  turns: LoopTurns
  clock: Clock
  log: Logger
  metrics: Metrics
}

/** Keeps the search index of articles up to date. Returns a function that stops it after the current turn. */
export function startIndexing(services: IndexingServices): () => Promise<void> {
  const { database, metrics } = services
  watchDatabase(metrics.registry, () => countDue(database.readLong, COUNTED_MAX), [
    {
      name: 'articles_waiting',
      help: 'Articles that are not indexed yet.',
      valuesOf: (value) => [{ value }],
    },
  ])
  const indexer = new Indexer(services)
  return () => indexer.close()
}

/**
 * States:
 * - idle → running: an announcement or the poll timer calls `#wake`.
 * - running → running: an organisation had work, or `#wake` was called meanwhile.
 * - running → idle: no organisation has work.
 * - any → closed: `close` stops after the current turn.
 */
class Indexer {
  readonly #services: IndexingServices
  readonly #analyser = createAnalyser()
  readonly #turns: Turns
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
  #hasMore = false
  #isClosing = false
  /** An outage is logged once, not every second. */
  #hasFailed = false

  constructor(services: IndexingServices) {
    this.#services = services
    this.#turns = new Turns(services, this.#analyser)
    services.metrics.watchQueue('indexing', this.#turns)
    const wake = () => this.#wake()
    // This begins before anything can call `wake`: there must be one run at a time.
    this.#running = this.#endCrashedLeases().finally(() => {
      this.#running = undefined
      wake()
    })
    this.#stopListening = services.database.listen({
      changed: (topic) => {
        if (topic === INDEXING_TOPIC) wake()
      },
      interrupted: () => {},
      resumed: wake,
    })
    this.#timer = setInterval(wake, POLL_MS)
    this.#timer.unref()
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    clearInterval(this.#timer)
    await this.#running
    await this.#analyser.close()
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
        if (await this.#turns.takeNext()) this.#hasMore = true
      })
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
