import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND_MS } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import { type AttemptRow, insertAttempts } from '../webhook-deliveries/index.ts'

const BATCH_MAX = 500
const UNSTORED_MAX = 128
/**
 * How long a batch gathers: a transaction costs as much as storing many attempts. Longer if few are waiting, because each
 * commit delays those of requests, and shorter under load, so that no attempt has to wait for room.
 */
const GATHER_MS = { few: 20, many: 4 }
const FEW_MAX = 8
const RETRY_MS = SECOND_MS

/** Stores attempts in batches. The first is stored at once; while attempts keep coming, the next ones gather. */
export class AttemptLog {
  readonly #database: Database
  readonly #log: Logger
  readonly #closing = new AbortController()
  #pending: { attempt: AttemptRow; stored: () => void }[] = []
  #running: Promise<void> | undefined
  /** How many deliveries would be sent again after a crash. */
  #unstored = 0

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
  }

  /**
   * Whether to start no more attempts for now. While the database can be read but not written, we would otherwise keep
   * sending without recording anything.
   */
  get isFull(): boolean {
    return this.#unstored >= UNSTORED_MAX
  }

  record(attempt: AttemptRow, stored: () => void): void {
    this.#pending.push({ attempt, stored })
    this.#unstored++
    this.#running ??= this.#run()
  }

  /** Stores what it can. The next worker sends the rest again. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    // Wait one microtask so that attempts recorded in this tick share the batch.
    await undefined
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, BATCH_MAX)
      if (!(await this.#store(batch.map(({ attempt }) => attempt)))) break
      this.#unstored -= batch.length
      for (const { stored } of batch) stored()
      await this.#pause(this.#pending.length <= FEW_MAX ? GATHER_MS.few : GATHER_MS.many)
    }
    this.#running = undefined
  }

  async #store(attempts: readonly AttemptRow[]): Promise<boolean> {
    for (;;) {
      try {
        await insertAttempts(this.#database, attempts)
        return true
      } catch (error) {
        this.#log.error({ err: error, attempts: attempts.length }, 'failed to store delivery attempts')
        if (this.#closing.signal.aborted) return false
        await this.#pause(RETRY_MS)
      }
    }
  }

  /** Ends early if the service stops. */
  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.#closing.signal }).catch(() => {})
  }
}
