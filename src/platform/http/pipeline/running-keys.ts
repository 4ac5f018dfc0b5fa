import { ByteCache } from '../../bounded/index.ts'

/** Enough for 10,000 keys of usual length. */
const RECENT_BYTES_MAX = 4 * 1024 * 1024

export interface TakenKey {
  /** Whether this process has handled a request with this key recently. It forgets most keys sooner or later. */
  readonly isRepeated: boolean
  /** Unlocks the key. */
  finished(): void
}

/** The Idempotency-Keys of requests that this process is handling. A duplicate waits until the first one is done. */
export class RunningKeys {
  readonly #running = new Map<string, Promise<void>>()
  readonly #recent = new ByteCache<number>(RECENT_BYTES_MAX, () => 0)

  /** Locks the key. Returns undefined if the first request did not finish in time. */
  async take(key: string, waitMs: number): Promise<TakenKey | undefined> {
    if (this.#running.has(key) && !(await this.#isFreed(key, waitMs))) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(key, promise)
    return {
      isRepeated: this.#recent.get(key) !== undefined,
      finished: () => {
        this.#recent.set(key, 1)
        this.#running.delete(key)
        resolve()
      },
    }
  }

  async #isFreed(key: string, waitMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<'timeout'>((resolve) => {
      timer = setTimeout(resolve, waitMs, 'timeout')
    })
    try {
      for (let running = this.#running.get(key); running !== undefined; running = this.#running.get(key)) {
        if ((await Promise.race([running, timeout])) === 'timeout') return false
      }
      return true
    } finally {
      clearTimeout(timer)
    }
  }
}
