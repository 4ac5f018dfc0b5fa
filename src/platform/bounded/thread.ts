import { Worker } from 'node:worker_threads'
import { QueueFull } from './fair-queue.ts'
import type { ThreadMessage } from './serve.ts'

/** A task exceeded its time or memory limit. */
export class TaskLimitExceeded extends Error {
  constructor(options?: ErrorOptions) {
    super('The task exceeded its time or memory limit', options)
    this.name = 'TaskLimitExceeded'
  }
}

export interface Limits {
  /** Processor time. Elapsed time would fail ordinary tasks on a busy machine, because our threads have a low priority. */
  taskMsMax: number
  memoryMbMax: number
}

/** A task may take this many times its processor time. A thread with a low priority gets little of a busy machine. */
const ELAPSED_FACTOR_MAX = 30

/** A third of the default. Saves up to 100 MB of memory with two busy threads, and costs no noticeable time. */
export const YOUNG_MB_MAX = 16

interface QueuedTask<Task, Result> {
  task: Task
  resolve(result: Result): void
  reject(reason: Error): void
}

/**
 * A worker thread for tasks that untrusted input can make slow. Runs one task at a time, in order, each within limits.
 *
 *   none → starting → idle ⇄ busy, and from each of them back to none when the thread exits or is terminated.
 *
 * Only the running task is lost then: the next one starts a new thread.
 */
export class BoundedThread<Task, Result> {
  readonly #script: URL
  readonly #limits: Limits
  /** While the thread is busy, the first entry is the running task. */
  readonly #queue: QueuedTask<Task, Result>[] = []
  #state: 'none' | 'starting' | 'idle' | 'busy' = 'none'
  #worker: Worker | undefined
  /** The processor time that the thread had used before the running task. */
  #usedBefore: NodeJS.CpuUsage | undefined
  #timers: NodeJS.Timeout[] = []
  #isClosed = false

  /** The script must call `serve`. */
  constructor(script: URL, limits: Limits) {
    this.#script = script
    this.#limits = limits
  }

  run(task: Task): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject })
      this.#next()
    })
  }

  /** Whether a task can begin at once. */
  get isReady(): boolean {
    return this.#state === 'idle'
  }

  /** Starts the thread before its first task, which takes a fraction of a second. */
  prepare(): void {
    if (this.#state === 'none' && !this.#isClosed) this.#start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#detach()
    for (const { reject } of this.#queue.splice(0)) reject(closed())
    await worker?.terminate()
  }

  #next(): void {
    const [next] = this.#queue
    // An idle thread must not keep the process alive; a running task must.
    if (next === undefined) this.#worker?.unref()
    else if (this.#state === 'none') this.#start()
    else if (this.#state === 'idle') {
      this.#state = 'busy'
      this.#startTimers()
      this.#worker?.ref()
      this.#worker?.postMessage(next.task)
    }
  }

  #startTimers(): void {
    const { taskMsMax } = this.#limits
    const tooBusy = () => this.#failCurrent(new QueueFull('the task got too little processor time'))
    this.#timers = [setTimeout(() => this.#checkTime(), taskMsMax), setTimeout(tooBusy, taskMsMax * ELAPSED_FACTOR_MAX)]
  }

  async #checkTime(): Promise<void> {
    const [running] = this.#queue
    // Undefined if the thread has just exited; the task has failed then.
    const used = await this.#worker?.cpuUsage(this.#usedBefore).catch(() => undefined)
    if (used === undefined || this.#queue[0] !== running) return
    const leftMs = this.#limits.taskMsMax - (used.user + used.system) / 1000
    if (leftMs <= 0) this.#failCurrent(new TaskLimitExceeded())
    else this.#timers.push(setTimeout(() => this.#checkTime(), leftMs))
  }

  #start(): void {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMbMax, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    this.#worker = worker
    this.#state = 'starting'
    // A terminated worker may still emit events. They do not concern the current task.
    const ifCurrent =
      <T>(listener: (value: T) => void) =>
      (value: T) => {
        if (worker === this.#worker) listener(value)
      }
    worker.on(
      'message',
      ifCurrent<ThreadMessage<Result>>((message) => this.#onMessage(message)),
    )
    worker.on(
      'error',
      ifCurrent<unknown>((error) => this.#failCurrent(toReason(error))),
    )
    worker.on(
      'exit',
      ifCurrent<number>((code) => this.#failCurrent(new Error(`The thread exited with code ${code}`))),
    )
  }

  #onMessage(message: ThreadMessage<Result>): void {
    this.#usedBefore = message.cpuUsage
    if ('result' in message) {
      this.#stopTimers()
      this.#queue.shift()?.resolve(message.result)
    }
    this.#state = 'idle'
    this.#next()
  }

  #failCurrent(reason: Error): void {
    void this.#detach()?.terminate()
    this.#queue.shift()?.reject(reason)
    this.#next()
  }

  #detach(): Worker | undefined {
    const worker = this.#worker
    this.#stopTimers()
    this.#worker = undefined
    this.#state = 'none'
    return worker
  }

  #stopTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }
}

const closed = () => new Error('The thread was closed')

/** A full heap or stack means that the task asked for too much. Any other error is a bug. */
function toReason(error: unknown): Error {
  const isOverLimit =
    error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOverLimit ? new TaskLimitExceeded({ cause: error }) : (error as Error)
}
