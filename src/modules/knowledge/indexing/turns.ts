import { type LoopTurns, QueueFull } from '../../../platform/bounded/index.ts'
import { type Clock, timestamp } from '../../../platform/clock/index.ts'
import { DatabaseUnavailable } from '../../../platform/db/failures.ts'
import { type Database, deferFlush, type Tx } from '../../../platform/db/index.ts'
import type { PublicUrlOf } from '../../../platform/http/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { PacedWriter } from '../../../platform/jobs/paced-writer.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import {
  type Analyser,
  countWords,
  mergeParts,
  selectOutdatedVocabulary,
  settleVocabulary,
} from '../article-search/index.ts'
import {
  type Claim,
  claimForIndexing,
  failIndexing,
  indexPrepared,
  Piece,
  type PreparedArticle,
  releaseClaimed,
} from './index-articles.ts'
import { selectDueOrganisation } from './queries.ts'

interface TurnServices {
  database: Database
  publicUrlOf: PublicUrlOf
  turns: LoopTurns
  clock: Clock
  log: Logger
}

/** Sorts before the IDs of all organisations. */
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * The largest texts have 27,000 terms and hold the only writer for 40 ms. After such a text comes a long rest, so that of
 * a hundred requests of others one meets it.
 */
const LARGE_TERMS = 12_000
const REST_AFTER_LARGE_MS = 4000

/**
 * Organisations take turns, in the order of their IDs. A turn is a limited amount of work: some texts, or some words of
 * texts that were indexed before. So the first article of one organisation does not wait for a thousand of another.
 */
export class Turns {
  readonly #services: TurnServices
  readonly #analyser: Analyser
  readonly #writer: PacedWriter
  #last: string = BEFORE_ALL
  /** The claimed articles that are not prepared yet. */
  waiting = 0
  /** 1 during a turn. */
  running = 0

  constructor(services: TurnServices, analyser: Analyser) {
    this.#services = services
    this.#analyser = analyser
    this.#writer = new PacedWriter(services.database, services.turns)
  }

  /** Returns false if no organisation has work. */
  async takeNext(): Promise<boolean> {
    const orgId = (await this.#findNext(this.#last)) ?? (await this.#findNext(BEFORE_ALL))
    if (orgId === undefined) return false
    this.#last = orgId
    this.running = 1
    try {
      await this.#take(orgId)
    } catch (error) {
      // Too much of this organisation is waiting already. The turn of the next one comes anyway.
      if (!(error instanceof QueueFull)) throw error
    } finally {
      this.running = 0
      this.waiting = 0
    }
    return true
  }

  async #findNext(after: string): Promise<OrgId | undefined> {
    const { database, clock } = this.#services
    const [due, outdated] = await Promise.all([
      selectDueOrganisation(database.read, after, timestamp(clock())),
      selectOutdatedVocabulary(database.read, after),
    ])
    return due === undefined || (outdated !== undefined && outdated < due) ? outdated : due
  }

  /** Words come first, so that they do not fall behind. */
  async #take(orgId: OrgId): Promise<void> {
    const { database } = this.#services
    const write = <T>(work: (tx: Tx) => Promise<T>) =>
      this.#writer.write(orgId, async (tx) => {
        await deferFlush(tx)
        return work(tx)
      })
    if (await countWords(database, write, orgId)) return
    if (await settleVocabulary(database, write, this.#analyser, orgId)) return
    await this.#indexArticles(orgId)
    await mergeParts(database, write)
  }

  async #indexArticles(orgId: OrgId): Promise<void> {
    const { database, clock } = this.#services
    const claim = await this.#writer.write(orgId, (tx) => claimForIndexing(tx, orgId, clock()))
    if (claim === undefined) return
    const piece = new Piece(database, this.#analyser, orgId)
    const unfinished = new Set(claim.ids)
    for (const id of claim.ids) {
      this.waiting = unfinished.size
      if (piece.isFull) break
      try {
        await piece.add(id)
      } catch (error) {
        await this.#fail(claim, id, error)
        // The lease may end before the others are ready.
        unfinished.delete(id)
        break
      }
    }
    await this.#index(claim, piece.articles)
    for (const { id, isComplete } of piece.articles) if (isComplete) unfinished.delete(id)
    if (unfinished.size > 0) await this.#writer.write(orgId, (tx) => releaseClaimed(tx, claim, [...unfinished]))
  }

  /** Writes all in one transaction. If that fails, retries one by one, so that one bad article blocks no other. */
  async #index(claim: Claim, articles: readonly PreparedArticle[]): Promise<void> {
    if (articles.length === 0) return
    try {
      const at = { now: timestamp(this.#services.clock()), publicUrl: await this.#services.publicUrlOf(claim.orgId) }
      await this.#writer.write(claim.orgId, (tx) => indexPrepared(tx, claim, articles, at), this.#restAfter(articles))
    } catch (error) {
      if (articles.length > 1) {
        for (const article of articles) await this.#index(claim, [article])
        return
      }
      for (const { id } of articles) await this.#fail(claim, id, error)
    }
  }

  /** On PostgreSQL, no one waits for the transaction. */
  #restAfter(articles: readonly PreparedArticle[]): number {
    const terms = articles
      .flatMap(({ entries }) => entries)
      .reduce((sum, { termCount, passageTermCount }) => sum + termCount + passageTermCount, 0)
    return this.#services.database.engine === 'sqlite' && terms > LARGE_TERMS ? REST_AFTER_LARGE_MS : 0
  }

  async #fail(claim: Claim, id: string, error: unknown): Promise<void> {
    // Not the fault of the article: it is due again when the lease ends.
    if (error instanceof DatabaseUnavailable || error instanceof QueueFull) throw error
    const { clock, log, publicUrlOf } = this.#services
    const publicUrl = await publicUrlOf(claim.orgId)
    const outcome = await this.#writer.write(claim.orgId, (tx) =>
      failIndexing(tx, claim, id, { nowMs: clock(), publicUrl }),
    )
    log.error({ err: error, article_id: id, outcome }, 'failed to index an article')
  }
}
