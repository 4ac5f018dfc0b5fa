import { ByteCache } from '../bounded/index.ts'
import { type Clock, SECOND_MS } from '../clock/index.ts'
import { DatabaseUnavailable } from './failures.ts'
import { withTimeout } from './timeout.ts'

export interface LookupCacheOptions<Value> {
  /** Returns the values that exist for these keys. */
  load: (keys: readonly string[]) => Promise<Map<string, Value>>
  /** The approximate size of a value in bytes. */
  sizeOf: (value: Value) => number
  bytesMax: number
  clock: Clock
  /** Shared by all caches on the same database. */
  availability: Availability
}

interface Availability {
  /** Whether the last query failed because the database was unreachable or too slow. */
  isAway: boolean
}

/** How long a key counts as absent. Short, because rows that were not created through the API are not announced. */
const ABSENT_MS = 5 * SECOND_MS
/** Anyone can request addresses that do not exist. */
const ABSENT_BYTES_MAX = 8 * 1024 * 1024
/** Longer than any lookup that is going to succeed. After that, a stale value is served if there is one. */
const LOAD_TIMEOUT_MS = SECOND_MS
const KEYS_PER_LOOKUP_MAX = 64

interface CachedValue<Value> {
  value: Value
  /** The generation it was read in. In a later one it is stale. */
  generation: number
}

interface Lookup<Value> extends PromiseWithResolvers<Value | undefined> {
  key: string
}

/**
 * Caches lookups until a change is announced. One query runs at a time and covers all keys that were requested while
 * the previous one ran. So guessing addresses never puts more than one query at a time on the database.
 *
 * `setListening` starts a new generation: announcements may have been missed, so every cached value is stale and is
 * looked up again. While the database is away, stale values are served; invalidated ones are not.
 */
export class LookupCache<Value> {
  readonly #options: LookupCacheOptions<Value>
  readonly #values: ByteCache<CachedValue<Value>>
  /** Keys without a row, and until when to believe that. */
  readonly #absentUntilMs = new ByteCache<number>(ABSENT_BYTES_MAX, () => 8)
  /** Lookups that later requests for the same key may join. */
  readonly #joinable = new Map<string, Lookup<Value>>()
  #queue: Lookup<Value>[] = []
  #isLoading = false
  #generation = 0
  #isListening = false

  constructor(options: LookupCacheOptions<Value>) {
    this.#options = options
    this.#values = new ByteCache(options.bytesMax, ({ value }) => options.sizeOf(value))
  }

  get usedBytes(): number {
    return this.#values.usedBytes + this.#absentUntilMs.usedBytes
  }

  get bytesMax(): number {
    return this.#values.bytesMax + this.#absentUntilMs.bytesMax
  }

  /** Returns the value if it is cached and fresh, null if it is known to be absent, undefined if it must be loaded. */
  peek(key: string): Value | null | undefined {
    if (!this.#isListening) return undefined
    const cached = this.#values.get(key)
    if (cached !== undefined) return cached.generation === this.#generation ? cached.value : undefined
    const absentUntilMs = this.#absentUntilMs.get(key)
    if (absentUntilMs === undefined) return undefined
    const leftMs = absentUntilMs - this.#options.clock()
    // There is more time left than there ever was when the clock was set back.
    return leftMs > 0 && leftMs <= ABSENT_MS ? null : undefined
  }

  /** Returns undefined for an absent key. Throws when the database is away and no stale value is cached. */
  async find(key: string): Promise<Value | undefined> {
    const fresh = this.peek(key)
    if (fresh !== undefined) return fresh ?? undefined
    const stale = this.#values.get(key)
    const loaded = this.#load(key)
    if (stale === undefined) return loaded
    try {
      // Do not wait for a database that is away. This lookup still runs, and shows when it is back.
      if (this.#options.availability.isAway) {
        loaded.catch(() => {})
        return stale.value
      }
      return await loaded
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return stale.value
      throw error
    }
  }

  /** Drops a changed key. A running lookup may have read the old row, so later requests do not join it. */
  invalidate(key: string): void {
    this.#values.delete(key)
    this.#absentUntilMs.delete(key)
    this.#joinable.delete(key)
  }

  /** Drops the values that match. Looks at all of them, so it is for changes that are rare. */
  invalidateWhere(matches: (value: Value) => boolean): void {
    this.#values.deleteWhere(({ value }) => matches(value))
    this.#joinable.clear()
  }

  /** Sets whether announcements are being received. Either way, everything read so far becomes stale. */
  setListening(isListening: boolean): void {
    this.#isListening = isListening
    // Announcements come from the database, so it is reachable again and no more stale values are served.
    if (isListening) this.#options.availability.isAway = false
    this.#generation++
    this.#absentUntilMs.clear()
    this.#joinable.clear()
  }

  #load(key: string): Promise<Value | undefined> {
    let lookup = this.#joinable.get(key)
    if (lookup === undefined) {
      lookup = { key, ...Promise.withResolvers<Value | undefined>() }
      this.#joinable.set(key, lookup)
      this.#queue.push(lookup)
      if (!this.#isLoading) void this.#loadQueue()
    }
    return lookup.promise
  }

  async #loadQueue(): Promise<void> {
    this.#isLoading = true
    while (this.#queue.length > 0) {
      let lookups = this.#queue.splice(0, KEYS_PER_LOOKUP_MAX)
      const keys = [...new Set(lookups.map(({ key }) => key))]
      try {
        const found = await withTimeout(this.#options.load(keys), LOAD_TIMEOUT_MS)
        this.#options.availability.isAway = false
        for (const lookup of lookups) this.#finish(lookup, found.get(lookup.key))
      } catch (error) {
        // Fail the queued lookups too. Batch by batch each would wait for its own timeout, and the queue would grow.
        if (error instanceof DatabaseUnavailable) {
          this.#options.availability.isAway = true
          lookups = lookups.concat(this.#queue.splice(0))
        }
        for (const lookup of lookups) {
          if (this.#joinable.get(lookup.key) === lookup) this.#joinable.delete(lookup.key)
          lookup.reject(error)
        }
      }
    }
    this.#isLoading = false
  }

  /** Caches the result, unless the key was invalidated while it was loading: then it may be the old row. */
  #finish(lookup: Lookup<Value>, value: Value | undefined): void {
    const { key } = lookup
    if (this.#joinable.get(key) === lookup) {
      this.#joinable.delete(key)
      if (value !== undefined) this.#values.set(key, { value, generation: this.#generation })
      else {
        // A stale value must not be served any longer.
        this.#values.delete(key)
        this.#absentUntilMs.set(key, this.#options.clock() + ABSENT_MS)
      }
    }
    lookup.resolve(value)
  }
}
