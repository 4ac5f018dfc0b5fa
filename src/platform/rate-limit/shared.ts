import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { countLimit } from '../bounded/index.ts'
import { SECOND_MS, type Timestamp, timestamp } from '../clock/index.ts'
import { compiled, type Database, type Db } from '../db/index.ts'
import { withTimeout } from '../db/timeout.ts'
import { type Caps, type RateDecision, Windows } from './windows.ts'

interface PendingTake {
  caps: Caps
  nowMs: number
  weight: number | undefined
  resolve(decision: RateDecision): void
  reject(error: unknown): void
}

/** The last known state of a key in this process, and the requests that wait for a decision. */
interface Key {
  name: string
  /** Undefined if the state has to be loaded. */
  version: number | undefined
  windows: Windows
  pending: PendingTake[]
  /** Whether a round decides on some of its requests. */
  busy: boolean
}

/** Requests of one key that are decided together. */
interface Batch {
  key: Key
  takes: PendingTake[]
}

const KEYS_MAX = 10_000
const KEYS_PER_ROUND_MAX = 100
/** Two use the database while a third prepares its statement. More would be smaller and cost more. */
const ROUNDS_MAX = 3
/** After this time the waiting requests fail, and the next request of the organisation starts anew. */
const DECIDE_TIMEOUT_MS = 4 * SECOND_MS

const byNames = compiled(
  (_db: Db, names: string[]) =>
    sql<{ key: string; version: number; windows: string }>`
    select key, version, windows from rate_windows
    where key = any(array(select jsonb_array_elements_text(${names})))`,
)

interface Replacement {
  key: string
  version: number
  windows: string
}

/** Sent like a read. The table is not logged, so it does not wait for the disk, and holds up no reads. */
const replaceVersions = compiled(
  (_db: Db, replacements: Replacement[], now: Timestamp) => sql<{ key: string }>`
    insert into rate_windows (key, version, windows, updated_at)
    select r.key, r.version, r.windows, ${now}::timestamptz
    from jsonb_to_recordset(${replacements}) as r (key text, version bigint, windows text)
    on conflict (key) do update set
      version = excluded.version, windows = excluded.windows, updated_at = excluded.updated_at
    where rate_windows.version = excluded.version - 1
    returning key`,
)

/**
 * Shares exact counts between processes with optimistic locking: a row is only replaced if its version is unchanged.
 * Requests that arrive while the database is busy wait for the next round, which decides on all keys together. So the cost
 * per request falls as the load rises.
 */
export class SharedRateLimiter {
  readonly #database: Database
  readonly #keys = new LRUCache<string, Key>(countLimit(KEYS_MAX))
  /** Keys with requests that no round has taken up yet. */
  readonly #ready = new Set<Key>()
  #rounds = 0
  #isRoundScheduled = false

  constructor(database: Database) {
    this.#database = database
  }

  take(name: string, caps: Caps, nowMs: number, weight?: number): Promise<RateDecision> {
    let key = this.#keys.get(name)
    if (key === undefined) {
      // Most callers are new. If this one is not, storing its count fails, and it is loaded.
      key = { name, version: 0, windows: new Windows(), pending: [], busy: false }
      this.#keys.set(name, key)
    }
    const { promise, resolve, reject } = Promise.withResolvers<RateDecision>()
    key.pending.push({ caps, nowMs, weight, resolve, reject })
    if (!key.busy) this.#ready.add(key)
    this.#scheduleRound()
    return promise
  }

  fullForSeconds(name: string, caps: Caps, nowMs: number): number {
    return this.#keys.peek(name)?.windows.fullForSeconds(caps, nowMs) ?? 0
  }

  #scheduleRound(): void {
    if (this.#isRoundScheduled || this.#rounds === ROUNDS_MAX || this.#ready.size === 0) return
    this.#isRoundScheduled = true
    // The requests that arrive in one turn of the event loop are in one round.
    setImmediate(() => {
      this.#isRoundScheduled = false
      void this.#runRound()
    })
  }

  async #runRound(): Promise<void> {
    const batches = this.#takeReady()
    this.#rounds++
    // Schedules the next round already, so that other keys need not wait for this one.
    this.#scheduleRound()
    try {
      await withTimeout(this.#decide(batches), DECIDE_TIMEOUT_MS)
    } catch (error) {
      for (const { key, takes } of batches) {
        key.version = undefined
        // Requests that arrived in the meantime fail, too. Otherwise they would wait for another timeout.
        for (const { reject } of [...takes, ...key.pending.splice(0)]) reject(error)
      }
    }
    this.#rounds--
    for (const { key } of batches) {
      key.busy = false
      if (key.pending.length > 0) this.#ready.add(key)
    }
    this.#scheduleRound()
  }

  /** Batches are in the order of their keys' names, so that two processes never wait for each other's rows. */
  #takeReady(): Batch[] {
    const byName = new Map<string, Key>()
    for (const key of this.#ready) {
      if (byName.size === KEYS_PER_ROUND_MAX) break
      // A key can be here twice if it was forgotten while its requests waited.
      if (byName.has(key.name)) continue
      byName.set(key.name, key)
      this.#ready.delete(key)
      key.busy = true
    }
    const keys = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    return keys.map((key) => ({ key, takes: key.pending.splice(0) }))
  }

  async #decide(batches: Batch[]): Promise<void> {
    for (let open = batches; open.length > 0; ) {
      await this.#load(open.filter(({ key }) => key.version === undefined))
      const decisions = new Map(open.map((batch) => [batch, decideOn(batch)]))
      const changed = open.filter((batch) => decisions.get(batch)?.some(({ admitted }) => admitted))
      const outdated = await this.#replace(changed)
      // Other processes can only have added requests, so a rejection on our copy is final.
      for (const [batch, decided] of decisions) if (!outdated.has(batch)) settle(batch, decided)
      for (const { key } of outdated) key.version = undefined
      open = [...outdated]
    }
  }

  async #load(batches: Batch[]): Promise<void> {
    if (batches.length === 0) return
    const rows = await byNames(
      this.#database.read,
      batches.map(({ key }) => key.name),
    )
    const byName = new Map(rows.map((row) => [row.key, row]))
    for (const { key } of batches) {
      const row = byName.get(key.name)
      key.version = row?.version ?? 0
      key.windows = row === undefined ? new Windows() : Windows.parse(row.windows)
    }
  }

  /** Stores the counts, except those of the returned keys, which another process has changed in the meantime. */
  async #replace(batches: Batch[]): Promise<Set<Batch>> {
    const outdated = new Set(batches)
    if (batches.length === 0) return outdated
    const replaced = batches.map((batch) => {
      const { windows, version = 0 } = batch.key
      return { batch, windows, version: version + 1, nowMs: batch.takes.at(-1)?.nowMs ?? 0 }
    })
    const rows = await replaceVersions(
      this.#database.read,
      replaced.map(({ batch, version, windows }) => ({ key: batch.key.name, version, windows: windows.toString() })),
      timestamp(Math.max(...replaced.map(({ nowMs }) => nowMs))),
    )
    const stored = new Set(rows.map((row) => row.key))
    for (const { batch, windows, version } of replaced) {
      if (!stored.has(batch.key.name)) continue
      outdated.delete(batch)
      // After a timeout, another batch may have loaded a later state.
      if (batch.key.windows === windows) batch.key.version = version
    }
    return outdated
  }
}

const decideOn = ({ key, takes }: Batch): RateDecision[] =>
  takes.map(({ caps, nowMs, weight }) => key.windows.take(caps, nowMs, weight))

function settle({ takes }: Batch, decisions: RateDecision[]): void {
  for (const [index, { resolve }] of takes.entries()) resolve(decisions[index] as RateDecision)
}
