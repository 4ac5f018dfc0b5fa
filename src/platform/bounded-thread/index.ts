import { Worker } from 'node:worker_threads'
import type { Message } from './serve.ts'

/** A task exceeded its time or memory limit. */
export class TaskLimitExceeded extends Error {
  constructor(options?: ErrorOptions) {
    super('The task exceeded its time or memory limit', options)
    this.name = 'TaskLimitExceeded'
  }
}

export interface Limits {
  taskMsMax: number
  memoryMbMax: number
}

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
  #deadline: NodeJS.Timeout | undefined
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
      this.#deadline = setTimeout(() => this.#failCurrent(new TaskLimitExceeded()), this.#limits.taskMsMax)
      this.#worker?.ref()
      this.#worker?.postMessage(next.task)
    }
  }

  #start(): void {
    const worker = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMbMax },
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
      ifCurrent<Message<Result>>((message) => this.#onMessage(message)),
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

  #onMessage(message: Message<Result>): void {
    if ('result' in message) {
      clearTimeout(this.#deadline)
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
    clearTimeout(this.#deadline)
    this.#worker = undefined
    this.#state = 'none'
    return worker
  }
}

const closed = () => new Error('The thread was closed')

/** A full heap or stack means that the task asked for too much. Any other error is a bug. */
function toReason(error: unknown): Error {
  const isOverLimit =
    error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isOverLimit ? new TaskLimitExceeded({ cause: error }) : (error as Error)
}
