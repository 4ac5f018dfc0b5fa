import { LRUCache } from 'lru-cache'
import { SECOND_MS, timestamp } from '../clock/index.ts'
import type { Database } from '../db/index.ts'
import { withTimeout } from '../db/timeout.ts'
import { type Caps, type Decision, Windows } from './windows.ts'

/** PostgreSQL only. The table is unlogged: counts need not survive a crash and must not wait for the disk. */
interface RateWindowsTable {
  key: string
  version: number
  windows: string
  updated_at: string
}

declare module '../db/types.ts' {
  interface Tables {
    rate_windows: RateWindowsTable
  }
}

interface PendingTake {
  caps: Caps
  nowMs: number
  resolve(decision: Decision): void
  reject(error: unknown): void
}

/** The last known state of a key in this process, and the requests that wait for a decision. */
interface Key {
  name: string
  version: number | undefined
  windows: string
  pending: PendingTake[]
  busy: boolean
}

const KEYS_MAX = 10_000
/** After this time the waiting requests fail, and the next request of the organisation starts anew. */
const DECIDE_TIMEOUT_MS = 4 * SECOND_MS

/**
 * Shares exact counts between processes with optimistic locking: a row is only replaced if its version is unchanged.
 * While one query for a key is running, later requests for the same key form the next batch, so the cost per request
 * falls as the load rises.
 */
export class SharedRateLimiter {
  readonly #database: Database
  readonly #keys = new LRUCache<string, Key>({ max: KEYS_MAX })

  constructor(database: Database) {
    this.#database = database
  }

  take(name: string, caps: Caps, nowMs: number): Promise<Decision> {
    let key = this.#keys.get(name)
    if (key === undefined) {
      key = { name, version: undefined, windows: '[[],[]]', pending: [], busy: false }
      this.#keys.set(name, key)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Decision>()
    key.pending.push({ caps, nowMs, resolve, reject })
    if (!key.busy) void this.#drain(key)
    return promise
  }

  async #drain(key: Key): Promise<void> {
    key.busy = true
    while (key.pending.length > 0) {
      const batch = key.pending
      key.pending = []
      try {
        const decisions = await withTimeout(this.#decide(key, batch), DECIDE_TIMEOUT_MS)
        for (const [index, { resolve }] of batch.entries()) resolve(decisions[index] as Decision)
      } catch (error) {
        key.version = undefined
        // Also those that arrived in the meantime. Otherwise they would wait for another timeout.
        for (const { reject } of [...batch, ...key.pending.splice(0)]) reject(error)
      }
    }
    key.busy = false
  }

  async #decide(key: Key, batch: PendingTake[]): Promise<Decision[]> {
    for (;;) {
      if (key.version === undefined) await this.#load(key)
      const windows = Windows.parse(key.windows)
      const decisions = batch.map(({ caps, nowMs }) => windows.take(caps, nowMs))
      // Other processes can only have added requests, so a rejection on our copy is final.
      if (!decisions.some(({ admitted }) => admitted)) return decisions
      if (await this.#replace(key, windows.toString(), batch.at(-1)?.nowMs ?? 0)) return decisions
      key.version = undefined
    }
  }

  async #load(key: Key): Promise<void> {
    const row = await this.#database.read
      .selectFrom('rate_windows')
      .select(['version', 'windows'])
      .where('key', '=', key.name)
      .executeTakeFirst()
    key.version = row?.version ?? 0
    key.windows = row?.windows ?? '[[],[]]'
  }

  async #replace(key: Key, windows: string, nowMs: number): Promise<boolean> {
    const version = (key.version ?? 0) + 1
    const updated_at = timestamp(nowMs)
    const written = await this.#database.kysely
      .insertInto('rate_windows')
      .values({ key: key.name, version, windows, updated_at })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet({ version, windows, updated_at })
          .where('rate_windows.version', '=', version - 1),
      )
      .returning('version')
      .executeTakeFirst()
    if (written === undefined) return false
    key.version = version
    key.windows = windows
    return true
  }
}
