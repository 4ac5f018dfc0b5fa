import { LRUCache } from 'lru-cache'
import { countLimit } from '../../../platform/bounded/index.ts'
import { HOUR_MS, SECOND_MS } from '../../../platform/clock/index.ts'

/** Limits the memory. Beyond this, the key that failed the longest time ago is forgotten. */
const KEYS_MAX = 20_000
const FIRST_WAIT_MS = SECOND_MS
/** Short, so that nobody can lock a person out for good. It still leaves a guesser only 120 attempts an hour. */
const WAIT_MS_MAX = 30 * SECOND_MS
const FORGET_MS = HOUR_MS

interface Failures {
  count: number
  lastMs: number
  /** No attempt is accepted before. */
  nextAtMs: number
}

/**
 * Slows down attempts after some failures of a key: each one doubles the time until the next attempt. Only in memory: a
 * failure must not cost the database anything.
 */
export class Throttle {
  readonly #freeFailures: number
  readonly #waitMsMax: number
  readonly #failures = new LRUCache<string, Failures>(countLimit(KEYS_MAX))

  /** Until this many failures there is no wait: people mistype. */
  constructor(freeFailures: number, waitMsMax = WAIT_MS_MAX) {
    this.#freeFailures = freeFailures
    this.#waitMsMax = waitMsMax
  }

  /** How many seconds to wait before the next attempt. */
  waitSeconds(key: string, nowMs: number): number {
    return Math.ceil(Math.max(0, this.#get(key, nowMs).nextAtMs - nowMs) / SECOND_MS)
  }

  /**
   * Counts an attempt as failed until it succeeds: many attempts at the same moment must not all be free. Returns the time
   * of the next attempt.
   */
  begin(key: string, nowMs: number): number {
    const count = this.#get(key, nowMs).count + 1
    const excess = count - this.#freeFailures
    // Zero instead of now: a request that arrived a moment earlier may only now begin its attempt.
    const nextAtMs = excess < 0 ? 0 : nowMs + Math.min(FIRST_WAIT_MS * 2 ** excess, this.#waitMsMax)
    this.#failures.set(key, { count, lastMs: nowMs, nextAtMs })
    return nextAtMs
  }

  /** Forgets all failures. */
  succeed(key: string): void {
    this.#failures.delete(key)
  }

  /** Takes back one attempt, which did not fail. `nextAtMs` is what `begin` returned: later attempts still have to wait. */
  takeBack(key: string, nextAtMs: number): void {
    const failures = this.#failures.get(key)
    if (failures === undefined) return
    const isLatest = failures.nextAtMs === nextAtMs
    this.#failures.set(key, { ...failures, count: failures.count - 1, nextAtMs: isLatest ? 0 : failures.nextAtMs })
  }

  #get(key: string, nowMs: number): Failures {
    const failures = this.#failures.get(key)
    const isRecent = failures !== undefined && nowMs - failures.lastMs < FORGET_MS
    if (!isRecent) return { count: 0, lastMs: 0, nextAtMs: 0 }
    const latestMs = nowMs + this.#waitMsMax
    if (failures.nextAtMs <= latestMs) return failures
    // No wait is that long, so the clock was set back.
    const rebased = { ...failures, lastMs: nowMs, nextAtMs: latestMs }
    this.#failures.set(key, rebased)
    return rebased
  }
}
