/** The Idempotency-Keys of requests that this process is handling. A duplicate waits until the first one is done. */
export class RunningKeys {
  readonly #running = new Map<string, Promise<void>>()

  /** Locks the key. Returns the function that unlocks it, or undefined if the first request did not finish in time. */
  async take(key: string, waitMs: number): Promise<(() => void) | undefined> {
    if (this.#running.has(key) && !(await this.#isFreed(key, waitMs))) return undefined
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(key, promise)
    return () => {
      this.#running.delete(key)
      resolve()
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
