/** Requests with an Idempotency-Key that this process is answering now, so that a second one can wait its turn. */
export class RunningKeys {
  readonly #running = new Map<string, Promise<void>>()

  /** Answers a function that ends the turn, or undefined when the first one did not finish in time. */
  async take(key: string, waitMs: number): Promise<(() => void) | undefined> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, waitMs, 'late')
    })
    try {
      for (;;) {
        const running = this.#running.get(key)
        if (running === undefined) break
        if ((await Promise.race([running, tooLate])) === 'late') return undefined
      }
    } finally {
      clearTimeout(timer)
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#running.set(key, promise)
    return () => {
      this.#running.delete(key)
      resolve()
    }
  }
}
