import { randomBytes } from 'node:crypto'
import { timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { withTimeout } from '../../../platform/db/timeout.ts'
import { insertSalt, selectSalt } from './queries.ts'

const SALT_BYTES = 16
const LOAD_TIMEOUT_MS = 1000

/**
 * The salt of the day, with which visitors are told apart. It is the same for all processes and is deleted after a
 * day; from then on nobody can find out who a visitor was, not even with the address at hand.
 */
export class VisitorSalt {
  readonly #database: Database
  #day = ''
  #salt = ''
  #loading: { day: string; salt: Promise<string> } | undefined

  constructor(database: Database) {
    this.#database = database
  }

  /** At once, except for the first scan of a day. */
  today(nowMs: number): string | Promise<string> {
    const day = timestamp(nowMs).slice(0, 10)
    if (day === this.#day) return this.#salt
    // At midnight the salt of yesterday may still be on its way.
    if (this.#loading?.day !== day) this.#loading = { day, salt: this.#load(day, nowMs) }
    return this.#loading.salt
  }

  async #load(day: string, nowMs: number): Promise<string> {
    const fresh = randomBytes(SALT_BYTES).toString('hex')
    // Without the database this process tells visitors apart by itself: better than not at all.
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
