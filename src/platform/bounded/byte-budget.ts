export interface ByteLimits {
  bytesMax: number
  /** The share of one key: an organisation or an address. */
  bytesPerKeyMax: number
}

/** Limits how many bytes may be held at once, in total and per key. */
export class ByteBudget {
  readonly bytesMax: number
  readonly #bytesPerKeyMax: number
  readonly #usedByKey = new Map<string, number>()
  #usedBytes = 0

  constructor({ bytesMax, bytesPerKeyMax }: ByteLimits) {
    this.bytesMax = bytesMax
    this.#bytesPerKeyMax = bytesPerKeyMax
  }

  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Returns false, and takes nothing, if that would exceed a limit. */
  tryTake(key: string, bytes: number): boolean {
    const used = this.#usedByKey.get(key) ?? 0
    if (this.#usedBytes + bytes > this.bytesMax || used + bytes > this.#bytesPerKeyMax) return false
    this.#usedByKey.set(key, used + bytes)
    this.#usedBytes += bytes
    return true
  }

  /** Gives back bytes that were taken. */
  release(key: string, bytes: number): void {
    const left = (this.#usedByKey.get(key) ?? 0) - bytes
    if (left > 0) this.#usedByKey.set(key, left)
    else this.#usedByKey.delete(key)
    this.#usedBytes -= bytes
  }
}
