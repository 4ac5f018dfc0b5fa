/** What a turn found: nothing that is due, or work to carry out. Work that another process claimed first is undefined. */
export type Turn = { isDue: false } | { isDue: true; work: (() => Promise<void>) | undefined }

interface ClaimedWorkOptions {
  /** How much is carried out at once. */
  runningMax: number
  /** How often to look without being woken. */
  pollMs: number
  takeTurn(): Promise<Turn>
  /** What was claimed is due again when its lease ends. */
  failed(error: unknown, step: 'claim' | 'work'): void
}

/**
 * Claims what waits in the database, piece by piece while there is room, and carries it out.
 *
 * States:
 * - idle → claiming: `wake`, or the timer.
 * - claiming → claiming: something was due, and there is room for more; or `wake` was called meanwhile.
 * - claiming → idle: nothing is due, or there is no room. The end of each work calls `wake`.
 * - any → closed: `close` claims no more, and waits for the work in progress, which must have a time limit.
 */
export class ClaimedWork {
  readonly #options: ClaimedWorkOptions
  readonly #running = new Set<Promise<void>>()
  readonly #timer: NodeJS.Timeout
  #claiming: Promise<void> | undefined
  #hasMore = false
  #isClosing = false

  constructor(options: ClaimedWorkOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.wake(), options.pollMs)
    this.#timer.unref()
  }

  wake(): void {
    this.#hasMore = true
    if (this.#claiming !== undefined || this.#isClosing) return
    this.#claiming = this.#claim().finally(() => {
      this.#claiming = undefined
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#timer)
    await this.#claiming
    await Promise.all(this.#running)
  }

  async #claim(): Promise<void> {
    while (this.#hasMore && !this.#isClosing && this.#running.size < this.#options.runningMax) {
      this.#hasMore = false
      try {
        const turn = await this.#options.takeTurn()
        if (!turn.isDue) continue
        this.#hasMore = true
        if (turn.work !== undefined) this.#start(turn.work)
      } catch (error) {
        this.#options.failed(error, 'claim')
      }
    }
  }

  #start(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => this.#options.failed(error, 'work'))
      .finally(() => {
        this.#running.delete(running)
        this.wake()
      })
    this.#running.add(running)
  }
}
