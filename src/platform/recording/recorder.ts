import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { SECOND_MS, systemClock, timestamp } from '../clock/index.ts'
import { ConstraintViolation, DatabaseUnavailable, UnstorableValue } from '../db/failures.ts'
import { withTimeout } from '../db/timeout.ts'
import type { Logger } from '../telemetry/logging.ts'
import type { Journal } from './journal.ts'

/** Whether the entry itself is at fault, so that every retry would fail. All other errors may be temporary. */
const isDataError = (error: unknown): boolean =>
  error instanceof ConstraintViolation || error instanceof UnstorableValue || error instanceof z.ZodError

/** Called once the entry is durable, or lost: neither the database nor the journal could be written. */
type Done = () => void

/** Limits how long one transaction takes. */
const BATCH_MAX = 1000
/** A visitor is waiting: after this time the batch goes to the journal. */
const COMMIT_TIMEOUT_MS = 2 * SECOND_MS
const DRAIN_TIMEOUT_MS = 10 * SECOND_MS
const RETRY_MS = 500

/** While the disk is full, every batch fails. */
const LOG_INTERVAL_MS = 10 * SECOND_MS

/** Two, so that the database already has the next batch while it commits one. */
const BATCHES_IN_FLIGHT = 2

export interface RecorderOptions<Entry> {
  journal: Journal<Entry>
  /** Stores each entry once, even if it is passed again later. */
  store: (entries: Entry[]) => Promise<void>
  /** What one entry and several entries are called in logs. */
  names: { one: string; several: string }
  /** What to log of an entry that cannot be stored. */
  describe: (entry: Entry) => unknown
  log: Logger
}

/**
 * Makes entries durable in batches, such as scans. While batches are being committed, new entries gather for the next one.
 *
 * States:
 * - *direct*: each batch is one transaction.
 * - *away*: the database failed to store a batch in time. Batches go to the journal until it has been drained.
 *
 * An entry may reach the database twice, for example when a commit succeeded after its timeout. Its id makes sure that
 * it is stored and counted once.
 */
export class Recorder<Entry> {
  readonly #options: RecorderOptions<Entry>
  readonly #journal: Journal<Entry>
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #gathering: { entry: Entry; done: Done }[] = []
  /** Each slot runs one batch at a time; undefined while it is idle. */
  readonly #slots: (Promise<void> | undefined)[] = Array.from({ length: BATCHES_IN_FLIGHT })
  #isAway = false
  /** Entries whose callers wait. */
  waiting = 0
  /** Entries that could be written to neither database nor journal, since the process started. */
  readonly lost = { count: 0, logged: 0, sinceMs: 0, untilMs: 0 }
  #lostLog: NodeJS.Timeout | undefined
  #draining: Promise<void> | undefined

  constructor(options: RecorderOptions<Entry>) {
    this.#options = options
    this.#journal = options.journal
    this.#log = options.log
    this.#startDraining()
  }

  /** What waits in files, also of processes that have ended. */
  journalBytes(): Promise<number> {
    return this.#journal.sizeBytes()
  }

  /** What operators have to know, until the process ends. */
  get alarm(): string | undefined {
    const { count, sinceMs, untilMs } = this.lost
    if (count === 0) return undefined
    const { several } = this.#options.names
    return `${count} ${several} were lost between ${timestamp(sinceMs)} and ${timestamp(untilMs)}: neither the database nor the journal could be written.`
  }

  record(entry: Entry, done: Done): void {
    this.waiting++
    this.#gathering.push({ entry, done })
    const idle = this.#gathering.length === 1 ? this.#slots.indexOf(undefined) : -1
    if (idle >= 0) this.#slots[idle] = this.#runSlot(idle)
  }

  /** Waits until every entry is durable, and drains the journal if the database is back. */
  async close(): Promise<void> {
    await Promise.all(this.#slots)
    this.#stopping.abort()
    await this.#draining
    clearTimeout(this.#lostLog)
    this.#logLost(undefined)
    await this.#journal.close()
  }

  /** Starts the next batch before calling back for the last one, so that the database is not idle in between. */
  async #runSlot(slot: number): Promise<void> {
    // Wait one microtask so that entries from this tick share the batch.
    await undefined
    for (let batch = this.#startBatch(); batch !== undefined; ) {
      await batch.done
      const next = this.#startBatch()
      // nextTick runs after all pending microtasks, one of which sends the next batch to the database.
      if (next !== undefined) await new Promise<void>(process.nextTick)
      for (const { done } of batch.waiting) this.#callBack(done)
      batch = next ?? this.#startBatch()
    }
    this.#slots[slot] = undefined
  }

  #startBatch() {
    if (this.#gathering.length === 0) return undefined
    const waiting = this.#gathering.splice(0, BATCH_MAX)
    const done = this.#makeDurable(waiting.map(({ entry }) => entry)).catch((error: unknown) =>
      this.#lose(waiting.length, error),
    )
    return { waiting, done }
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
    const { several } = this.#options.names
    const { count, logged } = this.lost
    if (count === logged) return
    this.lost.logged = count
    const fields = { err: error, [several]: count - logged, total: count }
    this.#log.error(fields, `${several} are lost: they could be written to neither database nor journal`)
  }

  /** A response that cannot be sent must not keep the rest of the batch from theirs. */
  #callBack(done: Done): void {
    this.waiting--
    try {
      done()
    } catch (error) {
      this.#log.error({ err: error }, 'a response could not be sent')
    }
  }

  async #makeDurable(entries: Entry[]): Promise<void> {
    if (!this.#isAway) {
      try {
        await this.#store(entries, COMMIT_TIMEOUT_MS)
        return
      } catch (error) {
        this.#isAway = true
        // While the disk is full, an empty journal is drained, and the database tried, again and again.
        if (this.#lostLog === undefined) {
          const { several } = this.#options.names
          this.#log.error({ err: error }, `the database failed to store ${several}; they go to the journal for now`)
        }
      }
    }
    const appended = this.#journal.append(entries)
    this.#startDraining()
    await appended
  }

  #store(entries: Entry[], timeoutMs: number): Promise<void> {
    return withTimeout(this.#options.store(entries), timeoutMs)
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
      // The database may have failed again while the last drain was finishing.
      if (this.#isAway && !this.#stopping.signal.aborted) this.#startDraining()
    })
  }

  /**
   * Retries until the journal is empty. A successful drain shows that the database is back; one more round then stores
   * what was appended in the meantime.
   */
  async #drain(): Promise<void> {
    for (;;) {
      try {
        await this.#journal.seal()
        let stored = 0
        const failures = await this.#journal.drain(BATCH_MAX, async (entries) => {
          await this.#storeOrReject(entries)
          stored += entries.length
        })
        for (const error of failures) this.#log.error({ err: error }, 'a journal of another process cannot be read')
        const { several } = this.#options.names
        if (stored > 0) this.#log.warn({ [several]: stored }, `stored ${several} from the journal`)
        if (!this.#isAway) return
        this.#isAway = false
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) this.#log.error({ err: error }, 'the journal cannot be drained')
        if (this.#stopping.signal.aborted) return
        await sleep(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
  }

  /** Logs an entry that the database rejects for good instead of storing it, so that it does not block the others. */
  async #storeOrReject(entries: Entry[]): Promise<void> {
    try {
      await this.#store(entries, DRAIN_TIMEOUT_MS)
    } catch (error) {
      if (!isDataError(error)) throw error
      const [first] = entries
      if (entries.length > 1) for (const entry of entries) await this.#storeOrReject([entry])
      else if (first !== undefined) {
        const { one } = this.#options.names
        this.#log.error({ err: error, [one]: this.#options.describe(first) }, `a ${one} cannot be stored`)
      }
    }
  }
}
