import type { Metrics } from '../telemetry/metrics.ts'
import { ByteBudget, type ByteLimits } from './byte-budget.ts'
import { FairQueue, type FairQueueLimits, QueueFull } from './fair-queue.ts'
import { BoundedThread, type Limits } from './thread.ts'

export interface ThreadPoolLimits
  extends Limits,
    ByteLimits,
    Pick<FairQueueLimits, 'restAfterMs' | 'waitingPerKeyMax' | 'waitMsMax'> {
  threads: number
}

const MIB = 1024 * 1024

/**
 * Lets one organisation have 32 of the largest texts in a pool, or 256 small ones. The bodies of that many large requests
 * reach the limit of bodies first (`BodyReader`), which refuses further ones before it reads them.
 */
export const WAITING_LIMITS = {
  waitingPerKeyMax: 256,
  waitMsMax: 5000,
  bytesPerKeyMax: 32 * MIB,
  bytesMax: 256 * MIB,
}

/**
 * Threads that organisations share. They take turns, and if there are several threads, one organisation never uses all of
 * them. Tasks that wait are limited by number, by bytes and by time.
 */
export class ThreadPool<Task, Result> {
  readonly #name: string
  readonly #metrics: Metrics | undefined
  readonly #queue: FairQueue
  readonly #budget: ByteBudget
  readonly #threads: readonly BoundedThread<Task, Result>[]
  /** The last one was used last. It is used next, so that only one thread more has started than are needed. */
  readonly #idle: BoundedThread<Task, Result>[]

  /** The script must call `serve`. Metrics show the pool under this name. */
  constructor(name: string, script: URL, limits: ThreadPoolLimits, metrics?: Metrics) {
    const { threads } = limits
    this.#name = name
    this.#metrics = metrics
    this.#queue = new FairQueue({ ...limits, runningMax: threads, runningPerKeyMax: Math.max(1, threads - 1) })
    this.#budget = new ByteBudget(limits)
    this.#threads = Array.from({ length: threads }, () => new BoundedThread(script, limits))
    this.#idle = [...this.#threads]
    metrics?.watchQueue(name, this.#queue)
    metrics?.watchBudget(name, this.#budget)
  }

  /** Throws `QueueFull` beyond the limits. A task that waits is dropped when the signal is aborted. */
  async run(orgId: string, task: Task, bytes: number, signal?: AbortSignal): Promise<Result> {
    try {
      if (!this.#budget.tryTake(orgId, bytes)) throw new QueueFull('too many bytes are waiting')
      try {
        return await this.#queue.run(orgId, () => this.#runInThread(task), signal)
      } finally {
        this.#budget.release(orgId, bytes)
      }
    } catch (error) {
      if (error instanceof QueueFull) this.#metrics?.refused.inc({ limit: this.#name })
      throw error
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  async #runInThread(task: Task): Promise<Result> {
    const thread = this.#idle.pop()
    if (thread === undefined) throw new Error('the queue started more tasks than there are threads')
    this.#idle.at(-1)?.prepare()
    try {
      return await thread.run(task)
    } finally {
      // A task that exceeds its limit ends the thread. Another one, if there is any, is ready sooner.
      if (thread.isReady) this.#idle.push(thread)
      else this.#idle.unshift(thread)
    }
  }
}
