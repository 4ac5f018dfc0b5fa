/** Shorter rests are not worth a timer. */
const REST_MS_MIN = 5

/**
 * Lets each key move so many bytes in a second. A fast network could otherwise bring more than the processor copies beside its other
 * work.
 */
export class BytePace {
  readonly #bytesPerSecond: number
  /** When what a key has moved so far is paid for. Keys whose time has passed are dropped. */
  readonly #paidAtMs = new Map<string, number>()

  constructor(bytesPerSecond: number) {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Resolves when the key may go on. */
  async move(key: string, bytes: number): Promise<void> {
    const nowMs = performance.now()
    const paidAtMs = Math.max(nowMs, this.#paidAtMs.get(key) ?? 0) + (bytes / this.#bytesPerSecond) * 1000
    this.#paidAtMs.set(key, paidAtMs)
    if (paidAtMs - nowMs >= REST_MS_MIN) await new Promise((resolve) => setTimeout(resolve, paidAtMs - nowMs))
    if (this.#paidAtMs.get(key) === paidAtMs) this.#paidAtMs.delete(key)
  }
}
