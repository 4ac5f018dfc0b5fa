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

/** What nobody announced is found this late: what failed, and what a worker that died had taken on. */
const POLL_MS = SECOND_MS
/** Together in one transaction: fewer and larger ones are quicker, but others wait for them. */
const BATCH_MAX = 25

interface IndexingServices {
  database: Database
  clock: Clock
  log: Logger
}

/** Keeps the search index of articles. Answers a function that stops it, once what is under way is done. */
export function startIndexing(services: IndexingServices): () => Promise<void> {
  const indexer = new Indexer(services)
  return () => indexer.close()
}

class Indexer {
  readonly #services: IndexingServices
  readonly #stopListening: () => void
  readonly #timer: NodeJS.Timeout
  #turn: Promise<void> | undefined
  #isWanted = false
  #isClosing = false
  /** Said once, and not every second. */
  #isAway = false

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
    this.#turn = this.#begin().finally(() => {
      this.#turn = undefined
      wake()
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#stopListening()
    clearInterval(this.#timer)
    await this.#turn
  }

  /** There is no other process on SQLite: whatever is taken on, one that ended had. */
  async #begin(): Promise<void> {
    const { database, clock } = this.#services
    if (database.engine === 'sqlite') await this.#unlessAway(() => endLeases(database, timestamp(clock())))
  }

  #wake(): void {
    this.#isWanted = true
    if (this.#turn !== undefined || this.#isClosing) return
    this.#turn = this.#run().finally(() => {
      this.#turn = undefined
    })
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isClosing) {
      this.#isWanted = false
      await this.#unlessAway(async () => {
        const { database, clock } = this.#services
        const claim = await claimForIndexing(database, clock(), BATCH_MAX)
        for (const [orgId, ids] of claim.byOrganisation) await this.#index(orgId, ids, claim)
        if (claim.byOrganisation.size > 0) this.#isWanted = true
      })
    }
  }

  /** Together; where that fails, one by one, so that one bad article costs no other its turn. */
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
      log.error({ err: error, article_id: id, outcome }, 'an article could not be indexed')
    }
  }

  async #unlessAway(work: () => Promise<void>): Promise<void> {
    try {
      await work()
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) this.#services.log.error({ err: error }, 'indexing waits for the database')
      this.#isAway = true
    }
  }
}
