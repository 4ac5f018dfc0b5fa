import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptRow, insertAttempts } from '../../modules/webhooks/webhook-deliveries/index.ts'
import { SECOND_MS } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'

const BATCH_MAX = 500
const UNSTORED_MAX = 128
const RETRY_MS = SECOND_MS

/** Writes down what came of attempts, together with their neighbours: while some are being stored, the next gather. */
export class AttemptLog {
  readonly #database: Database
  readonly #log: Logger
  readonly #closing = new AbortController()
  #gathering: { attempt: AttemptRow; stored: () => void }[] = []
  #running: Promise<void> | undefined
  /** What was sent and would be sent again after a crash. */
  #unstored = 0

  constructor(database: Database, log: Logger) {
    this.#database = database
    this.#log = log
  }

  /** Whether to begin nothing more until something is stored: else a database that only reads would have no end of it. */
  get isFull(): boolean {
    return this.#unstored >= UNSTORED_MAX
  }

  record(attempt: AttemptRow, stored: () => void): void {
    this.#gathering.push({ attempt, stored })
    this.#unstored++
    this.#running ??= this.#run()
  }

  /** Waits for what can be stored. What cannot is sent again by whoever comes next. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    // Whoever is recorded in the same breath goes along.
    await undefined
    while (this.#gathering.length > 0) {
      const batch = this.#gathering.splice(0, BATCH_MAX)
      if (!(await this.#store(batch.map(({ attempt }) => attempt)))) break
      this.#unstored -= batch.length
      for (const { stored } of batch) stored()
    }
    this.#running = undefined
  }

  async #store(attempts: readonly AttemptRow[]): Promise<boolean> {
    for (;;) {
      try {
        await insertAttempts(this.#database, attempts)
        return true
      } catch (error) {
        this.#log.error({ err: error, attempts: attempts.length }, 'the outcome of deliveries could not be stored')
        if (this.#closing.signal.aborted) return false
        await sleep(RETRY_MS, undefined, { signal: this.#closing.signal }).catch(() => {})
      }
    }
  }
}
