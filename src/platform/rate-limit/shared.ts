import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { SECOND_MS, type Timestamp, timestamp } from '../clock/index.ts'
import { compiled, compiledStatement, type Database, type Db } from '../db/index.ts'
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
  weight: number | undefined
  resolve(decision: Decision): void
  reject(error: unknown): void
}

/** The last known state of a key in this process, and the requests that wait for a decision. */
interface Key {
  name: string
  /** Undefined if the state has to be loaded. */
  version: number | undefined
  windows: Windows
  pending: PendingTake[]
  busy: boolean
}

const KEYS_MAX = 10_000
/** After this time the waiting requests fail, and the next request of the organisation starts anew. */
const DECIDE_TIMEOUT_MS = 4 * SECOND_MS

const byKey = compiled((db: Db, key: string) =>
  db.selectFrom('rate_windows').select(['version', 'windows']).where('key', '=', key),
)

const replaceVersion = compiledStatement(
  (_db: Database['kysely'], before: number, key: string, version: number, windows: string, now: Timestamp) => sql`
    insert into rate_windows (key, version, windows, updated_at) values (${key}, ${version}, ${windows}, ${now})
    on conflict (key) do update set
      version = excluded.version, windows = excluded.windows, updated_at = excluded.updated_at
    where rate_windows.version = ${before}`,
)

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

  take(name: string, caps: Caps, nowMs: number, weight?: number): Promise<Decision> {
    let key = this.#keys.get(name)
    if (key === undefined) {
      key = { name, version: undefined, windows: new Windows(), pending: [], busy: false }
      this.#keys.set(name, key)
    }
    const { promise, resolve, reject } = Promise.withResolvers<Decision>()
    key.pending.push({ caps, nowMs, weight, resolve, reject })
    if (!key.busy) {
      key.busy = true
      // The requests that arrive in one turn of the event loop are one batch.
      setImmediate(() => void this.#drain(key))
    }
    return promise
  }

  async #drain(key: Key): Promise<void> {
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
      const decisions = batch.map(({ caps, nowMs, weight }) => key.windows.take(caps, nowMs, weight))
      // Other processes can only have added requests, so a rejection on our copy is final.
      if (!decisions.some(({ admitted }) => admitted)) return decisions
      if (await this.#replace(key, batch.at(-1)?.nowMs ?? 0)) return decisions
      key.version = undefined
    }
  }

  async #load(key: Key): Promise<void> {
    const [row] = await byKey(this.#database.read, key.name)
    key.version = row?.version ?? 0
    key.windows = row === undefined ? new Windows() : Windows.parse(row.windows)
  }

  async #replace(key: Key, nowMs: number): Promise<boolean> {
    const { kysely } = this.#database
    const { name, version: before = 0, windows } = key
    const statement = replaceVersion(kysely, before, name, before + 1, windows.toString(), timestamp(nowMs))
    const { numAffectedRows = 0n } = await kysely.executeQuery(statement)
    if (numAffectedRows === 0n) return false
    // After a timeout, another batch may have loaded a later state.
    if (key.windows === windows) key.version = before + 1
    return true
  }
}
