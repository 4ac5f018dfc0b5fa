import { SECOND_MS, systemClock, timestamp } from '../clock/index.ts'
import { DatabaseUnavailable } from '../db/failures.ts'
import { withTimeout } from '../db/timeout.ts'
import type { OrgId } from '../ids/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import type { EntryFormat, EntryLog } from './entry-log.ts'

/** Called once the entry is durable, or lost: it could not be written anywhere. */
type Done = () => void

/** Limits how many entries a power cut can tear, and how long one write takes. */
const BATCH_MAX = 500
/** Large batches are cheap: they update each counter once, and each page of an index a few times less. */
const FOLD_AFTER_MS = 200
const RETRY_MS = 500
/** Other processes may end and leave something. */
const LOOK_AGAIN_MS = 10 * SECOND_MS
/** What is left of an outage may take longer to store than anybody should wait. */
const SETTLED_WITHIN_MS = 2 * SECOND_MS

/** While the disk is full, every batch fails. */
const LOG_INTERVAL_MS = 10 * SECOND_MS

export interface RecorderOptions<Entry> {
  log: EntryLog<Entry>
  format: Pick<EntryFormat<Entry>, 'names' | 'orgOf'>
  logger: Logger
}

/**
 * Makes entries durable in batches, such as scans: they are appended to a log, and their callers called back. While one
 * batch is being written, new entries gather for the next one. A moment later, they are folded: stored in their tables, in
 * one transaction with what is counted, and removed from the log. While the database is away, the fold waits.
 */
export class Recorder<Entry> {
  readonly #options: RecorderOptions<Entry>
  readonly #logger: Logger
  #gathering: { entry: Entry; done: Done }[] = []
  #appending: Promise<void> | undefined
  /** Entries whose callers wait. */
  waiting = 0
  /** Entries that could not be written anywhere, since the process started. */
  readonly lost = { count: 0, logged: 0, sinceMs: 0, untilMs: 0 }
  #lostLog: NodeJS.Timeout | undefined
  /** Whose entries are in the log: before the fold that is running, and since it began. */
  #folding = new Set<OrgId>()
  #appended = new Set<OrgId>()
  /** A process that ended may have left entries of anybody. */
  #mayHoldOthers = true
  #fold: Promise<void> | undefined
  #nextFold: Promise<void> | undefined
  #isAway = false
  #timer: NodeJS.Timeout | undefined
  #timerAtMs = Number.POSITIVE_INFINITY
  #isClosing = false

  constructor(options: RecorderOptions<Entry>) {
    this.#options = options
    this.#logger = options.logger
    this.#foldWithin(0)
  }

  /** What the database has not got yet, also from processes that have ended. */
  journalBytes(): Promise<number> {
    return this.#options.log.sizeBytes()
  }

  /** How long the oldest entry has been waiting for its fold. */
  get ageMs(): number {
    const { sinceMs } = this.#options.log
    return sinceMs === undefined ? 0 : Math.max(0, systemClock() - sinceMs)
  }

  /** What operators have to know, until the process ends. */
  get alarm(): string | undefined {
    const { count, sinceMs, untilMs } = this.lost
    if (count === 0) return undefined
    const { several } = this.#options.format.names
    return `${count} ${several} were lost between ${timestamp(sinceMs)} and ${timestamp(untilMs)}: neither the database nor the journal could be written.`
  }

  record(entry: Entry, done: Done): void {
    this.waiting++
    this.#gathering.push({ entry, done })
    this.#appending ??= this.#append()
  }

  /**
   * Resolves when all entries of the organisation that were durable at the time of the call are stored and counted.
   * Undefined if they are, and while the database is away. After an outage it resolves earlier if storing them takes long.
   */
  settled(orgId: OrgId): Promise<void> | undefined {
    if (this.#isAway) return undefined
    const isKnown = this.#mayHoldOthers || this.#folding.has(orgId) || this.#appended.has(orgId)
    if (!isKnown && this.#options.log.holds === undefined) return undefined
    return withTimeout(this.#settle(orgId), SETTLED_WITHIN_MS).catch(() => {})
  }

  /** Waits until every entry is durable, and folds what can be folded. */
  async close(): Promise<void> {
    await this.#appending
    this.#isClosing = true
    clearTimeout(this.#timer)
    await this.#fold
    await this.#foldOnce()
    clearTimeout(this.#lostLog)
    this.#logLost(undefined)
    await this.#options.log.close()
  }

  /** Starts to write the next batch before calling back for the last one, so that the disk is not idle in between. */
  async #append(): Promise<void> {
    // Wait one microtask so that entries from this tick share the batch.
    await undefined
    for (let batch = this.#startBatch(); batch !== undefined; ) {
      await batch.written
      const next = this.#startBatch()
      // nextTick runs after all pending microtasks, one of which begins to write the next batch.
      if (next !== undefined) await new Promise<void>(process.nextTick)
      for (const { done } of batch.waiting) this.#callBack(done)
      batch = next ?? this.#startBatch()
    }
    this.#appending = undefined
  }

  #startBatch() {
    if (this.#gathering.length === 0) return undefined
    const waiting = this.#gathering.splice(0, BATCH_MAX)
    return { waiting, written: this.#write(waiting.map(({ entry }) => entry)) }
  }

  async #write(entries: Entry[]): Promise<void> {
    const { log, format } = this.#options
    try {
      await log.append(entries)
    } catch (error) {
      this.#lose(entries.length, error)
      return
    }
    for (const entry of entries) this.#appended.add(format.orgOf(entry))
    this.#foldWithin(FOLD_AFTER_MS)
  }

  /** Visitors who wait are served all the same. Operators find out: from a metric, the log and `/readyz`. */
  #lose(count: number, error: unknown): void {
    const nowMs = systemClock()
    if (this.lost.count === 0) this.lost.sinceMs = nowMs
    this.lost.count += count
    this.lost.untilMs = nowMs
    if (this.#lostLog !== undefined) return
    this.#logLost(error)
    this.#lostLog = setTimeout(() => {
      this.#lostLog = undefined
      this.#logLost(error)
    }, LOG_INTERVAL_MS).unref()
  }

  #logLost(error: unknown): void {
    const { several } = this.#options.format.names
    const { count, logged } = this.lost
    if (count === logged) return
    this.lost.logged = count
    const fields = { err: error, [several]: count - logged, total: count }
    this.#logger.error(fields, `${several} are lost: they could be written to neither database nor journal`)
  }

  /** A response that cannot be sent must not keep the rest of the batch from theirs. */
  #callBack(done: Done): void {
    this.waiting--
    try {
      done()
    } catch (error) {
      this.#logger.error({ err: error }, 'a response could not be sent')
    }
  }

  /** A fold that is due earlier replaces a later one. */
  #foldWithin(ms: number): void {
    const atMs = performance.now() + ms
    if (this.#isClosing || this.#fold !== undefined || atMs >= this.#timerAtMs) return
    clearTimeout(this.#timer)
    this.#timerAtMs = atMs
    this.#timer = setTimeout(() => void this.#foldOnce(), ms)
  }

  async #settle(orgId: OrgId): Promise<void> {
    if (this.#appended.has(orgId)) return this.#foldFromNow()
    if (this.#mayHoldOthers || this.#folding.has(orgId)) await (this.#fold ?? this.#foldOnce())
    if (await this.#options.log.holds?.(orgId)) await this.#foldFromNow()
  }

  /** A fold that is running may have begun before an entry was appended. All who wait for the next one wait for the same. */
  #foldFromNow(): Promise<void> {
    if (this.#fold === undefined) return this.#foldOnce()
    this.#nextFold ??= this.#fold.then(() => {
      this.#nextFold = undefined
      return this.#foldOnce()
    })
    return this.#nextFold
  }

  #foldOnce(): Promise<void> {
    this.#fold ??= this.#runFold().finally(() => {
      this.#fold = undefined
      this.#foldWithin(this.#isAway ? RETRY_MS : this.#appended.size > 0 ? FOLD_AFTER_MS : LOOK_AGAIN_MS)
    })
    return this.#fold
  }

  async #runFold(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timerAtMs = Number.POSITIVE_INFINITY
    for (const orgId of this.#appended) this.#folding.add(orgId)
    this.#appended.clear()
    const { log, format } = this.#options
    const { several } = format.names
    try {
      for (const error of await log.fold())
        this.#logger.error({ err: error }, 'a journal of another process cannot be read')
      this.#folding.clear()
      this.#mayHoldOthers = false
      if (this.#isAway) this.#logger.warn(`${several} are stored again`)
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) this.#logger.error({ err: error }, `${several} cannot be stored; they wait in the journal`)
      else if (!(error instanceof DatabaseUnavailable))
        this.#logger.error({ err: error }, 'the journal cannot be drained')
      this.#isAway = true
    }
  }
}
