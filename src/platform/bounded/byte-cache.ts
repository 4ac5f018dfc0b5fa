import { LRUCache } from 'lru-cache'

/** Roughly what the cache itself needs for an entry. */
export const ENTRY_BYTES = 100

/** A cache with a limit in bytes. The least recently used entries are dropped first. */
export class ByteCache<Value extends object | number> {
  readonly bytesMax: number
  readonly #entries: LRUCache<string, Value>

  /** `sizeOf` returns the approximate size of a value in bytes. */
  constructor(bytesMax: number, sizeOf: (value: Value) => number) {
    this.bytesMax = bytesMax
    this.#entries = new LRUCache({
      maxSize: bytesMax,
      sizeCalculation: (value, key) => ENTRY_BYTES + 2 * key.length + sizeOf(value),
    })
  }

  get usedBytes(): number {
    return this.#entries.calculatedSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  /** Copies the key: a part of a request's URL or header would keep all of it in memory. */
  set(key: string, value: Value): void {
    this.#entries.set(copyOf(key), value)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  /** Looks at every entry. */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, value] of this.#entries.entries()) if (matches(value)) this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** A slice of a string shares the memory of the whole string. */
export const copyOf = (text: string): string => Buffer.from(text).toString()
