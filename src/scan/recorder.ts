import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type RecordedScan, storeScans } from '../modules/codes/scans/index.ts'
import { type Clock, SECOND_MS, timestamp } from '../platform/clock/index.ts'
import { ConstraintViolation, DatabaseUnavailable, UnstorableValue } from '../platform/db/failures.ts'
import type { Database } from '../platform/db/index.ts'
import { withTimeout } from '../platform/db/timeout.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import type { Journal } from './journal.ts'

/** What would fail again and again, because of what the scan is; everything else may pass. */
const isAboutData = (error: unknown): boolean =>
  error instanceof ConstraintViolation || error instanceof UnstorableValue || error instanceof z.ZodError

/** Called when the scan is durable, or with the reason why it could not be made so. */
type Done = (failure: unknown) => void

/** Bounds how long one transaction takes. */
const BATCH_MAX = 1000
/** A phone waits; the database has this long before the journal takes its place. */
const COMMIT_TIMEOUT_MS = 2 * SECOND_MS
const DRAIN_TIMEOUT_MS = 10 * SECOND_MS
const RETRY_MS = 500

/** How many batches are on their way at once: while one is committed, the database has the next one already. */
const LANES = 2

/**
 * Makes scans durable, together with their neighbours: while batches are being committed, the next one gathers.
 *
 * States: *direct*, each batch is one transaction; *away*, the database did not take a batch, and the journal takes
 * them until it answers again. Whatever is in the journal is stored when it can be. A scan's id keeps it from being
 * counted twice, also when a commit that seemed to fail had not.
 */
export class Recorder {
  readonly #database: Database
  readonly #journal: Journal<RecordedScan>
  readonly #clock: Clock
  readonly #log: Logger
  readonly #stopping = new AbortController()
  #gathering: { scan: RecordedScan; done: Done }[] = []
  readonly #lanes: (Promise<void> | undefined)[] = Array.from({ length: LANES })
  #isAway = false
  #draining: Promise<void> | undefined

  constructor(database: Database, journal: Journal<RecordedScan>, clock: Clock, log: Logger) {
    this.#database = database
    this.#journal = journal
    this.#clock = clock
    this.#log = log
    this.#startDraining()
  }

  record(scan: RecordedScan, done: Done): void {
    this.#gathering.push({ scan, done })
    const free = this.#gathering.length === 1 ? this.#lanes.indexOf(undefined) : -1
    if (free >= 0) this.#lanes[free] = this.#run(free)
  }

  /** When everybody was answered and what is in the journal was stored, if the database takes it. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes)
    this.#stopping.abort()
    await this.#draining
    await this.#journal.close()
  }

  /** The next batch is on its way before the last one is answered, so that the database is never idle meanwhile. */
  async #run(lane: number): Promise<void> {
    // Whoever is recorded in the same breath goes along.
    await undefined
    for (let batch = this.#begin(); batch !== undefined; ) {
      const failure = await batch.failure
      const next = this.#begin()
      // Until everything that promises do by themselves is done, the message to the database among it.
      if (next !== undefined) await new Promise<void>(process.nextTick)
      for (const { done } of batch.waiting) this.#tell(done, failure)
      batch = next ?? this.#begin()
    }
    this.#lanes[lane] = undefined
  }

  #begin() {
    if (this.#gathering.length === 0) return undefined
    const waiting = this.#gathering.splice(0, BATCH_MAX)
    const failure = this.#keep(waiting.map(({ scan }) => scan)).then(
      () => undefined,
      (error: unknown) => {
        this.#log.error({ err: error, scans: waiting.length }, 'scans could neither be stored nor put aside')
        return error
      },
    )
    return { waiting, failure }
  }

  /** One answer that cannot be sent must not keep the others from theirs. */
  #tell(done: Done, failure: unknown): void {
    try {
      done(failure)
    } catch (error) {
      this.#log.error({ err: error }, 'an answer could not be sent')
    }
  }

  async #keep(scans: RecordedScan[]): Promise<void> {
    if (!this.#isAway) {
      try {
        await this.#store(scans, COMMIT_TIMEOUT_MS)
        return
      } catch (error) {
        this.#isAway = true
        this.#log.error({ err: error }, 'the database does not take scans; they are put aside in the journal')
      }
    }
    const appended = this.#journal.append(scans)
    this.#startDraining()
    await appended
  }

  #store(scans: RecordedScan[], timeoutMs: number): Promise<void> {
    const now = timestamp(this.#clock())
    return withTimeout(storeScans(this.#database, scans, now), timeoutMs)
  }

  #startDraining(): void {
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined
      // The database may have gone away again at the very end.
      if (this.#isAway && !this.#stopping.signal.aborted) this.#startDraining()
    })
  }

  /** Until the journal is empty: that it can be emptied shows that the database is back. */
  async #drain(): Promise<void> {
    for (;;) {
      try {
        await this.#journal.seal()
        let stored = 0
        const failures = await this.#journal.drain(BATCH_MAX, async (scans) => {
          await this.#storeOrReject(scans)
          stored += scans.length
        })
        for (const error of failures) this.#log.error({ err: error }, 'a journal that was left behind cannot be read')
        if (stored > 0) this.#log.warn({ scans: stored }, 'scans from the journal were stored')
        if (!this.#isAway) return
        this.#isAway = false
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) this.#log.error({ err: error }, 'the journal cannot be emptied')
        if (this.#stopping.signal.aborted) return
        await sleep(RETRY_MS, undefined, { signal: this.#stopping.signal }).catch(() => {})
      }
    }
  }

  /** One scan that no database can take must not keep the others waiting for ever; it is written to the log. */
  async #storeOrReject(scans: RecordedScan[]): Promise<void> {
    try {
      await this.#store(scans, DRAIN_TIMEOUT_MS)
    } catch (error) {
      if (!isAboutData(error)) throw error
      if (scans.length > 1) for (const scan of scans) await this.#storeOrReject([scan])
      else this.#log.error({ err: error, scan: scans[0]?.row }, 'a scan cannot be stored')
    }
  }
}
