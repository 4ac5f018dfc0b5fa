import { LRUCache } from 'lru-cache'
import type { ByteLimits } from './byte-budget.ts'
import { copyOf, ENTRY_BYTES } from './byte-cache.ts'

interface Entry<Value> {
  owner: Owner
  value: Value
  bytes: number
}

/** A key (organisation) with entries. */
interface Owner {
  readonly name: string
  /** Its entries, the oldest first. */
  readonly keys: Set<string>
  usedBytes: number
}

/**
 * A cache that organisations share, with a limit in bytes for all of them and one for each. The least recently used entries
 * are dropped first; an organisation that exceeds its share loses its own oldest ones. A value that several callers want
 * at the same time is made once.
 */
export class SharedCache<Value extends object> {
  readonly bytesMax: number
  readonly #bytesPerKeyMax: number
  readonly #sizeOf: (value: Value) => number
  readonly #entries: LRUCache<string, Entry<Value>>
  readonly #owners = new Map<string, Owner>()
  readonly #making = new Map<string, Promise<Value | undefined>>()

  /** `sizeOf` returns the approximate size of a value in bytes. */
  constructor({ bytesMax, bytesPerKeyMax }: ByteLimits, sizeOf: (value: Value) => number) {
    this.bytesMax = bytesMax
    this.#bytesPerKeyMax = bytesPerKeyMax
    this.#sizeOf = sizeOf
    this.#entries = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: ({ bytes }) => bytes,
      dispose: (entry, key) => this.#leave(entry, key),
    })
  }

  get usedBytes(): number {
    return this.#entries.calculatedSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** Returns the cached value, or makes it. Caches it unless it is undefined or `mayKeep` returns false. */
  fetch<Made extends Value | undefined>(
    owner: string,
    key: string,
    make: () => Promise<Made>,
    mayKeep: (value: Value) => boolean = () => true,
  ): Promise<Made> {
    const cached = this.get(key)
    if (cached !== undefined) return Promise.resolve(cached as Made)
    const running = this.#making.get(key)
    if (running !== undefined) return running as Promise<Made>
    const making = make()
      .then((value) => {
        if (value !== undefined && mayKeep(value)) this.#set(owner, key, value)
        return value
      })
      .finally(() => this.#making.delete(key))
    this.#making.set(key, making)
    return making
  }

  #set(name: string, key: string, value: Value): void {
    const copied = copyOf(key)
    const bytes = ENTRY_BYTES + 2 * copied.length + this.#sizeOf(value)
    if (bytes > this.#bytesPerKeyMax) return
    const owner = this.#owners.get(name) ?? { name, keys: new Set(), usedBytes: 0 }
    this.#owners.set(name, owner)
    owner.usedBytes += bytes
    owner.keys.add(copied)
    this.#entries.set(copied, { owner, value, bytes })
    for (const oldest of owner.keys) {
      if (owner.usedBytes <= this.#bytesPerKeyMax) break
      this.#entries.delete(oldest)
    }
  }

  #leave({ owner, bytes }: Entry<Value>, key: string): void {
    owner.usedBytes -= bytes
    owner.keys.delete(key)
    if (owner.keys.size === 0) this.#owners.delete(owner.name)
  }
}
