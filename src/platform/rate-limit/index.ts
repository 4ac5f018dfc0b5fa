import { LRUCache } from 'lru-cache'
import { countLimit } from '../bounded/index.ts'
import { MINUTE_MS } from '../clock/index.ts'
import type { Database } from '../db/index.ts'
import { SharedRateLimiter } from './shared.ts'
import { type Caps, type RateDecision, Windows } from './windows.ts'

export { AddressLimits, PACES, type Paced, type Paces } from './address-limits.ts'
export { FailedAttempts } from './failed-attempts.ts'
export type { Caps, RateDecision } from './windows.ts'

export interface RateLimiter {
  /** Counts one request under this key if it is within the limits. A heavier one counts as `weight`, which defaults to 1. */
  take(key: string, caps: Caps, nowMs: number, weight?: number): RateDecision | Promise<RateDecision>
  /** Returns the seconds after which a request fits, or 0 if it may fit now, as far as this process knows. Counts nothing. */
  fullForSeconds(key: string, caps: Caps, nowMs: number): number
}

/** Instances on PostgreSQL share their counts. SQLite has a single instance, which counts in memory. */
export const createRateLimiter = (database: Database): RateLimiter =>
  database.engine === 'postgres' ? new SharedRateLimiter(database) : new MemoryRateLimiter()

/** Limits the memory. Beyond this, the organisation whose last request is the oldest is counted from zero again. */
const KEYS_MAX = 10_000

class MemoryRateLimiter implements RateLimiter {
  readonly #windows = new LRUCache<string, Windows>(countLimit(KEYS_MAX))
  #sweptAtMs = 0

  take(key: string, caps: Caps, nowMs: number, weight?: number): RateDecision {
    this.#sweep(nowMs)
    let windows = this.#windows.get(key)
    if (windows === undefined) {
      windows = new Windows()
      this.#windows.set(key, windows)
    }
    return windows.take(caps, nowMs, weight)
  }

  fullForSeconds(key: string, caps: Caps, nowMs: number): number {
    return this.#windows.peek(key)?.fullForSeconds(caps, nowMs) ?? 0
  }

  /** Drops keys without requests in their longest window, so that memory depends only on active callers. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAtMs < MINUTE_MS) return
    this.#sweptAtMs = nowMs
    for (const [key, windows] of this.#windows) if (windows.isEmpty(nowMs)) this.#windows.delete(key)
  }
}
