/** The task waited too long, or too many tasks were waiting already. The caller may retry later. */
export class QueueFull extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'QueueFull'
  }
}

export interface FairQueueLimits {
  /** Tasks that run at once. */
  runningMax: number
  /** Tasks of one key that run at once, or rest. Defaults to `runningMax`. */
  runningPerKeyMax?: number | ((key: string) => number)
  /** A key with a task that took longer than this runs one at a time, until its tasks are short again. */
  longTaskMs?: number
  /** After a task that took longer than this, its key rests for as long, at most a second, and leaves the place to others. */
  restAfterMs?: number
  waitingPerKeyMax: number
  /** How long a task may wait for its turn. Some are refused a little earlier. */
  waitMsMax: number
  /** A key that takes every second turn while it has tasks waiting, and has its own limits for them. */
  preferred?: { key: string; waitingMax: number; waitMsMax: number }
}

interface Waiting {
  start(): void
}

/** A key with tasks. */
interface Key {
  readonly name: string
  readonly waiting: Waiting[]
  running: number
  /** How long its tasks have run. A key that joins begins at least with the time of the key whose turn it is. */
  usedMs: number
  /** The duration of its longest task. Older tasks count less. */
  longestMs: number
}

/** What is left of `longestMs` after another task. */
const OLDER = 0.9

/** Keys whose `usedMs` is remembered when they have no task. Beyond this, the one that left first is forgotten. */
const LEFT_MAX = 1000

/** How much less than `waitMsMax` a task may wait. To refuse all tasks that came together would take too long at once. */
const WAIT_SPREAD = 0.3

const REST_MS_MAX = 1000

/** What a task counts at least. How long a short one takes depends more on the load than on the task. */
const TASK_MS_MIN = 15

/**
 * Runs a limited number of tasks at once. If tasks have to wait, it is the turn of the key (organisation) whose tasks have
 * taken the least time. So however many tasks a key has, and however long they take, the next task of a key with few and
 * short ones waits for one of them at most.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits
  /** Keys with tasks that run or wait. */
  readonly #keys = new Map<string, Key>()
  /**
   * The `usedMs` of keys that have left while others have tasks. Otherwise, a key that comes back soon would be ahead of
   * one that has been waiting since its own last turn, again and again.
   */
  readonly #left = new Map<string, number>()
  #running = 0
  #waiting = 0
  /** The `usedMs` of the key that had the last turn. */
  #turnMs = 0
  #lastStarted: string | undefined
  /** Called for each task that is rejected with `QueueFull`. */
  onRefused: () => void = () => {}

  constructor(limits: FairQueueLimits) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Whether a further task of this key would be refused. For callers that prepare much for a task. */
  isFull(name: string): boolean {
    const key = this.#keys.get(name)
    return key !== undefined && key.waiting.length >= this.#limitsOfWaiting(key).waitingMax
  }

  /**
   * Runs the task when it is its turn. Throws `QueueFull` if it cannot run soon, and the reason of the signal if that is
   * aborted before the task starts. A task that has started is not affected by the signal.
   */
  async run<T>(name: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const key = this.#keys.get(name) ?? this.#join(name)
    if (key.waiting.length === 0 && this.#hasRoom(key)) this.#take(key)
    else await this.#wait(key, signal)
    const startedAtMs = performance.now()
    try {
      return await task()
    } finally {
      const tookMs = performance.now() - startedAtMs
      key.usedMs += Math.max(TASK_MS_MIN, tookMs)
      key.longestMs = Math.max(tookMs, OLDER * key.longestMs)
      this.#running--
      const { restAfterMs = Number.POSITIVE_INFINITY } = this.#limits
      if (tookMs <= restAfterMs) this.#release(key)
      else {
        setTimeout(() => this.#release(key), Math.min(tookMs, REST_MS_MAX)).unref()
        this.#startWaiting()
      }
    }
  }

  #join(name: string): Key {
    const usedMs = Math.max(this.#turnMs, this.#left.get(name) ?? 0)
    this.#left.delete(name)
    return { name, waiting: [], running: 0, usedMs, longestMs: 0 }
  }

  /** Resolves with a place taken for this task. */
  #wait(key: Key, signal: AbortSignal | undefined): Promise<void> {
    const { waitingMax, waitMsMax } = this.#limitsOfWaiting(key)
    if (key.waiting.length >= waitingMax) return Promise.reject(this.#refuse('too many tasks are waiting'))
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      const waiting: Waiting = {
        start: () => {
          settle()
          resolve()
        },
      }
      const leave = (reason: unknown) => {
        settle()
        key.waiting.splice(key.waiting.indexOf(waiting), 1)
        this.#waiting--
        this.#leaveIfIdle(key)
        reject(reason)
      }
      const onAbort = () => leave(signal?.reason)
      const waitMs = waitMsMax * (1 - WAIT_SPREAD * Math.random())
      const timer = setTimeout(() => leave(this.#refuse(`the task waited for ${Math.round(waitMs)} ms`)), waitMs)
      signal?.addEventListener('abort', onAbort)
      key.waiting.push(waiting)
      this.#waiting++
      this.#keys.set(key.name, key)
    })
  }

  #refuse(reason: string): QueueFull {
    this.onRefused()
    return new QueueFull(reason)
  }

  #limitsOfWaiting({ name }: Key): { waitingMax: number; waitMsMax: number } {
    const { preferred, waitingPerKeyMax, waitMsMax } = this.#limits
    return name === preferred?.key ? preferred : { waitingMax: waitingPerKeyMax, waitMsMax }
  }

  #isPreferred({ name }: Key): boolean {
    return name === this.#limits.preferred?.key
  }

  #hasRoom({ name, running, longestMs }: Key): boolean {
    const { runningMax, runningPerKeyMax = runningMax, longTaskMs = Number.POSITIVE_INFINITY } = this.#limits
    if (this.#running >= runningMax) return false
    if (longestMs > longTaskMs) return running < 1
    return running < (typeof runningPerKeyMax === 'number' ? runningPerKeyMax : runningPerKeyMax(name))
  }

  #take(key: Key): void {
    key.running++
    this.#running++
    if (!this.#isPreferred(key)) this.#turnMs = Math.max(this.#turnMs, key.usedMs)
    this.#lastStarted = key.name
    this.#keys.set(key.name, key)
  }

  #release(key: Key): void {
    key.running--
    this.#startWaiting()
    this.#leaveIfIdle(key)
  }

  #startWaiting(): void {
    for (let next = this.#nextKey(); next !== undefined; next = this.#nextKey()) {
      this.#waiting--
      this.#take(next)
      next.waiting.shift()?.start()
    }
  }

  #leaveIfIdle({ name, running, waiting, usedMs }: Key): void {
    if (running > 0 || waiting.length > 0) return
    this.#keys.delete(name)
    this.#left.set(name, usedMs)
    const [first] = this.#left.keys()
    if (this.#keys.size === 0) this.#left.clear()
    else if (this.#left.size > LEFT_MAX && first !== undefined) this.#left.delete(first)
  }

  /** The preferred key, unless it had the last turn; else the key that has used the least time. */
  #nextKey(): Key | undefined {
    const preferred = this.#keys.get(this.#limits.preferred?.key ?? '')
    const canPrefer = preferred !== undefined && this.#canStart(preferred)
    if (canPrefer && preferred.name !== this.#lastStarted) return preferred
    let next: Key | undefined
    for (const key of this.#keys.values()) {
      if (key === preferred || !this.#canStart(key)) continue
      if (next === undefined || key.usedMs < next.usedMs) next = key
    }
    return next ?? (canPrefer ? preferred : undefined)
  }

  #canStart(key: Key): boolean {
    return key.waiting.length > 0 && this.#hasRoom(key)
  }
}
