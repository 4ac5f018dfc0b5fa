import { LRUCache } from 'lru-cache'
import { countLimit } from '../bounded/index.ts'
import { MINUTE_MS, SECOND_MS } from '../clock/index.ts'

const PER_MINUTE_MAX = 60
/**
 * Limits the memory. Beyond this, the key whose last failure is the oldest is forgotten. Somebody with that many
 * addresses is not held up by a limit per address anyway.
 */
const KEYS_MAX = 10_000

/**
 * Counts failed attempts per key (a client's address), so that guessing is slow. Only in memory: a failed attempt must
 * not cost the database anything. A minute starts with the first failure after the last minute.
 */
export class FailedAttempts {
  readonly #perMinuteMax: number
  readonly #minutes = new LRUCache<string, { startedAtMs: number; count: number }>(countLimit(KEYS_MAX))

  constructor(perMinuteMax = PER_MINUTE_MAX) {
    this.#perMinuteMax = perMinuteMax
  }

  get size(): number {
    return this.#minutes.size
  }

  /** Counts one failure. Returns 0 if it is within the limit, otherwise the seconds until the next minute starts. */
  count(key: string, nowMs: number): number {
    const minute = this.#minutes.get(key)
    if (minute === undefined || nowMs - minute.startedAtMs >= MINUTE_MS) {
      this.#minutes.set(key, { startedAtMs: nowMs, count: 1 })
      return 0
    }
    // The clock went back: the minute ends a minute from now at the latest.
    minute.startedAtMs = Math.min(minute.startedAtMs, nowMs)
    if (++minute.count <= this.#perMinuteMax) return 0
    return Math.max(1, Math.ceil((minute.startedAtMs + MINUTE_MS - nowMs) / SECOND_MS))
  }

  /** Whether the next failure within this minute is beyond the limit. Counts nothing. */
  isOver(key: string, nowMs: number): boolean {
    const minute = this.#minutes.get(key)
    return minute !== undefined && minute.count >= this.#perMinuteMax && nowMs - minute.startedAtMs < MINUTE_MS
  }
}
