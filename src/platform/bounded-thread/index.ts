import { Worker } from 'node:worker_threads'
import type { Message } from './serve.ts'

/** It would take more time or memory than one task may have. */
export class TooIntricate extends Error {
  constructor(options?: ErrorOptions) {
    super('It takes more time or memory than it may have', options)
    this.name = 'TooIntricate'
  }
}

export interface Limits {
  taskMsMax: number
  memoryMbMax: number
}

interface Waiting<Task, Result> {
  task: Task
  resolve(result: Result): void
  reject(reason: Error): void
}

/**
 * A thread for what may take long, and can be made to: one task at a time, in the order they came, each within limits.
 *
 *   none → starting → idle ⇄ busy, and from each of them back to none when the thread ends or is ended.
 *
 * Only the task that it was busy with is lost then: the next one begins a new thread.
 */
export class BoundedThread<Task, Result> {
  readonly #script: URL
  readonly #limits: Limits
  /** The first one is in the thread while it is busy. */
  readonly #queue: Waiting<Task, Result>[] = []
  #state: 'none' | 'starting' | 'idle' | 'busy' = 'none'
  #worker: Worker | undefined
  #deadline: NodeJS.Timeout | undefined
  #isClosed = false

  /** The script calls `serve`. */
  constructor(script: URL, limits: Limits) {
    this.#script = script
    this.#limits = limits
  }

  run(task: Task): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject })
      this.#proceed()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#forget()
    for (const { reject } of this.#queue.splice(0)) reject(closed())
    await worker?.terminate()
  }

  #proceed(): void {
    const [next] = this.#queue
    // A process that has nothing else to do ends beside an idle thread, but not while somebody waits for an answer.
    if (next === undefined) this.#worker?.unref()
    else if (this.#state === 'none') this.#start()
    else if (this.#state === 'idle') {
      this.#state = 'busy'
      this.#deadline = setTimeout(() => this.#giveUp(new TooIntricate()), this.#limits.taskMsMax)
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
    // One that was ended may still have something to say; it is no longer about the one that waits now.
    const ifCurrent =
      <T>(listener: (value: T) => void) =>
      (value: T) => {
        if (worker === this.#worker) listener(value)
      }
    worker.on(
      'message',
      ifCurrent<Message<Result>>((message) => this.#hear(message)),
    )
    worker.on(
      'error',
      ifCurrent<unknown>((error) => this.#giveUp(reasonOf(error))),
    )
    worker.on(
      'exit',
      ifCurrent<number>((code) => this.#giveUp(new Error(`The thread ended with code ${code}`))),
    )
  }

  #hear(message: Message<Result>): void {
    if ('result' in message) {
      clearTimeout(this.#deadline)
      this.#queue.shift()?.resolve(message.result)
    }
    this.#state = 'idle'
    this.#proceed()
  }

  #giveUp(reason: Error): void {
    void this.#forget()?.terminate()
    this.#queue.shift()?.reject(reason)
    this.#proceed()
  }

  #forget(): Worker | undefined {
    const worker = this.#worker
    clearTimeout(this.#deadline)
    this.#worker = undefined
    this.#state = 'none'
    return worker
  }
}

const closed = () => new Error('The thread was closed')

/** The heap and the stack end where a task asks for too much of them; everything else is a defect of ours. */
function reasonOf(error: unknown): Error {
  const isTooMuch = error instanceof RangeError || (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'
  return isTooMuch ? new TooIntricate({ cause: error }) : (error as Error)
}
