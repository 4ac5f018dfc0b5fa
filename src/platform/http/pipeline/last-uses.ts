import { MINUTE_MS, type Timestamp, timestamp, toMs } from '../../clock/index.ts'
import type { Database, Tx } from '../../db/index.ts'
import type { OrgId } from '../../ids/index.ts'
import type { Logger } from '../../telemetry/logging.ts'

const INTERVAL_MS = MINUTE_MS
/** Limits the memory. Clearing a full map costs a few writes more. */
const IDS_MAX = 10_000

interface Used {
  id: string
  org_id: OrgId | null
  last_used_at: string | null
}

/** Stores a use if the stored one is older than `dueBefore`: several instances may report the same use. */
type Store = (tx: Tx, used: Used, usedAt: Timestamp, dueBefore: Timestamp) => Promise<unknown>

/**
 * Records when credentials were last used, at most once a minute each, in the background: it is a hint for people, not
 * worth a commit per request.
 */
export class LastUses {
  readonly #database: Database
  readonly #store: Store
  readonly #log: Logger
  readonly #lastUsedMs = new Map<string, number>()
  readonly #writes = new Set<Promise<unknown>>()

  constructor(database: Database, log: Logger, store: Store) {
    this.#database = database
    this.#log = log
    this.#store = store
  }

  record(used: Used, nowMs: number): void {
    const { id, org_id, last_used_at } = used
    const lastUsedMs = this.#lastUsedMs.get(id) ?? (last_used_at === null ? 0 : toMs(last_used_at))
    if (nowMs - lastUsedMs < INTERVAL_MS) return
    if (this.#lastUsedMs.size >= IDS_MAX && !this.#lastUsedMs.has(id)) this.#lastUsedMs.clear()
    this.#lastUsedMs.set(id, nowMs)
    const [usedAt, dueBefore] = [timestamp(nowMs), timestamp(nowMs - INTERVAL_MS)]
    const write = this.#database
      .write((tx) => this.#store(tx, used, usedAt, dueBefore), org_id ?? undefined)
      .catch((error) => this.#log.warn({ err: error, credential_id: id }, 'last_used_at could not be written'))
      .finally(() => this.#writes.delete(write))
    this.#writes.add(write)
  }

  /** Waits for pending writes. Call it before the database closes. */
  async flush(): Promise<void> {
    await Promise.allSettled(this.#writes)
  }
}
