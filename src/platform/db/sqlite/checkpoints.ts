import { statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { CHECKPOINT_PAGES } from './connect.ts'
import { START_INTERVAL_MS } from './thread-driver.ts'

const INTERVAL_MS = 100
/** A file of this size is worth a thread. It never gets smaller, so this does not say how much there is to copy. */
const WAL_BYTES_MIN = CHECKPOINT_PAGES * 4096

/**
 * Has the WAL copied into the database file by a thread of its own. Otherwise, every so many commits one of them would
 * copy it all, while other writes wait. Without the thread, the writer does so when the WAL gets large.
 */
export class Checkpoints {
  readonly #file: string
  #timer: NodeJS.Timeout | undefined
  #thread: Worker | undefined
  #startedAtMs = Number.NEGATIVE_INFINITY

  constructor(file: string) {
    this.#file = file
  }

  /** Call it after each commit. */
  committed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#thread === undefined && this.#mayStart()) this.#start()
      this.#thread?.postMessage('committed')
    }, INTERVAL_MS).unref()
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    const thread = this.#thread
    if (thread === undefined) return
    thread.postMessage('close')
    await new Promise((resolve) => thread.once('exit', resolve))
  }

  #mayStart(): boolean {
    if (performance.now() - this.#startedAtMs < START_INTERVAL_MS) return false
    return (statSync(`${this.#file}-wal`, { throwIfNoEntry: false })?.size ?? 0) >= WAL_BYTES_MIN
  }

  #start(): void {
    this.#startedAtMs = performance.now()
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: this.#file,
      name: 'sqlite-checkpoint',
      // It has hardly any objects.
      resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 32 },
    })
    thread.unref()
    // This happens if the disk is full, for example. Writes report that themselves.
    thread.on('error', () => {})
    thread.once('exit', () => {
      this.#thread = undefined
    })
    this.#thread = thread
  }
}
