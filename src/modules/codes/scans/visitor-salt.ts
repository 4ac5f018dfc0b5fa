import { randomBytes } from 'node:crypto'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import { insertSalt, selectSalt } from './queries.ts'

const SALT_BYTES = 16
const LOAD_TIMEOUT_MS = 1000

/**
 * The salt of the day, used to hash visitors. All processes share it. It is deleted after a day; from then on a visitor
 * hash cannot be traced back, not even by trying the visitor's IP address.
 */
export class VisitorSalt {
  readonly #database: Database
  #day = ''
  #salt = ''
  #loading: { day: string; salt: Promise<string> } | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns the salt synchronously, except for the first scan of a day. */
  today(nowMs: number): string | Promise<string> {
    const day = timestamp(nowMs).slice(0, 10)
    if (day === this.#day) return this.#salt
    // Just after midnight the load of yesterday's salt may still be running.
    if (this.#loading?.day !== day) this.#loading = { day, salt: this.#load(day, nowMs) }
    return this.#loading.salt
  }

  async #load(day: string, nowMs: number): Promise<string> {
    const fresh = randomBytes(SALT_BYTES).toString('hex')
    // Without the database this process uses its own salt for the day. Scans must not wait for it.
    const salt = await withTimeout(this.#share(day, fresh, nowMs), LOAD_TIMEOUT_MS).catch(() => fresh)
    if (day > this.#day) {
      this.#salt = salt
      this.#day = day
    }
    return salt
  }

  async #share(day: string, salt: string, nowMs: number): Promise<string> {
    const known = await selectSalt(this.#database.read, day)
    if (known !== undefined) return known.salt
    return this.#database.write(async (tx) => {
      await insertSalt(tx, { day, salt, created_at: timestamp(nowMs) })
      return (await selectSalt(tx, day))?.salt ?? salt
    })
  }
}
