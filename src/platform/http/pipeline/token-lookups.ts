import { SECOND_MS } from '../../clock/index.ts'
import { withTimeout } from '../../db/timeout.ts'

/** A change of a credential must apply everywhere within one second. The other half is for the lookup. */
const CACHE_MS = 500
/** A lookup that never ends must not hold up all later requests with the same token. */
const LOOKUP_TIMEOUT_MS = 4 * SECOND_MS
/** Limit the memory. Clearing a full cache is cheap, because entries expire soon anyway. */
const KNOWN_MAX = 10_000
const UNKNOWN_MAX = 1000

interface CacheEntry<Found> {
  found: Found | undefined
  loadedAtMs: number
}

/** Looks up the owner of a token, at most twice a second, no matter how often it is used. */
export class TokenLookups<Found> {
  readonly #load: (token: string) => Promise<Found | undefined>
  /** The cache key is the token itself: checking and hashing it would take longer than the rest of the work. */
  readonly #known = new Map<string, CacheEntry<Found>>()
  /** Separate, so that guessed tokens do not displace known ones. */
  readonly #unknown = new Map<string, CacheEntry<Found>>()
  readonly #running = new Map<string, Promise<Found | undefined>>()

  constructor(load: (token: string) => Promise<Found | undefined>) {
    this.#load = load
  }

  /** Undefined if it has to be loaded; `found` is undefined for a token that nobody has. */
  cached(token: string, nowMs: number): { found: Found | undefined } | undefined {
    const entry = this.#known.get(token) ?? this.#unknown.get(token)
    // If the clock went back, the entry would be in use until it is where it was.
    return entry !== undefined && Math.abs(nowMs - entry.loadedAtMs) < CACHE_MS ? entry : undefined
  }

  /** Concurrent requests with the same token share one lookup. */
  load(token: string, nowMs: number): Promise<Found | undefined> {
    let running = this.#running.get(token)
    if (running === undefined) {
      running = withTimeout(this.#loadAndKeep(token, nowMs), LOOKUP_TIMEOUT_MS).finally(() =>
        this.#running.delete(token),
      )
      this.#running.set(token, running)
    }
    return running
  }

  forget(token: string): void {
    this.#known.delete(token)
    this.#running.delete(token)
  }

  async #loadAndKeep(token: string, nowMs: number): Promise<Found | undefined> {
    const found = await this.#load(token)
    const [cache, max] = found === undefined ? [this.#unknown, UNKNOWN_MAX] : [this.#known, KNOWN_MAX]
    if (cache.size >= max && !cache.has(token)) cache.clear()
    cache.set(token, { found, loadedAtMs: nowMs })
    return found
  }
}
