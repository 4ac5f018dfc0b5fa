import type { Metrics } from '../telemetry/metrics.ts'
import { QueueFull } from './fair-queue.ts'

/** How much of a turn of the event loop goes to tasks that begin in it. The rest is for those that began before. */
const TURN_MS = { usual: 2, short: 0.5 }
/** More than the open connections of most clients. */
const WAITING_PER_KEY_MAX = 500
const WAIT_MS_MAX = 10_000
/** A client that sends its requests one after the other has the next one here within this time. */
const IN_USE_MS = 100
/** A key that asked within this time counts as active. */
const SHARED_MS = 1000
/** Tasks that begin in one turn after others have waited. Enough to use the turn, if they are cheap. */
const BEGINNINGS_MAX = 16
/** Keys with a small task that need not wait for a turn. Few, so that the turn stays short. */
const FIRST_MAX = 4

export interface TaskSize {
  /** It suffers most from waiting: others then have short turns. */
  isShort?: boolean
  /** It takes less than a millisecond, as far as one can know before it begins. */
  isSmall?: boolean
}

interface Waiting {
  sinceMs: number
  begin(): void
  refuse(reason: QueueFull): void
}

/** Remembers which key asked last, and when. */
class LastAsked {
  ms = Number.NEGATIVE_INFINITY
  #key: string | undefined
  /** When a key other than `#key` asked last. */
  #otherMs = Number.NEGATIVE_INFINITY

  note(key: string, nowMs: number): void {
    if (key !== this.#key) this.#otherMs = this.ms
    this.#key = key
    this.ms = nowMs
  }

  /** When a key other than this one asked last. */
  msOfOthers(key: string): number {
    return key === this.#key ? this.#otherMs : this.ms
  }
}

/**
 * Shares the main thread. In one turn, the event loop handles everything that has arrived. So if many expensive tasks of
 * one organisation arrive together, each step of everything else waits for all of them. Here only some of them begin in
 * each turn, and keys (organisations) take turns.
 */
export class LoopTurns {
  readonly #turnMs: typeof TURN_MS
  /** The waiting tasks of each key. The first key has the next turn. */
  readonly #waitingByKey = new Map<string, Waiting[]>()
  readonly #refused: () => void
  /** When no further task may begin in the current turn. Undefined if none has begun. */
  #fullAtMs: number | undefined
  /** Those that have begun a small task in the current turn without waiting. */
  readonly #first = new Set<string>()
  #waiting = 0
  #scheduled = 0
  readonly #asked = new LastAsked()
  readonly #askedForShort = new LastAsked()

  /** Tasks with turns of another name do not wait for these. */
  constructor(metrics: Metrics, turnMs = TURN_MS, name = 'turns') {
    this.#turnMs = turnMs
    this.#refused = () => metrics.refused.inc({ limit: name })
    metrics.watchQueue(name, this)
  }

  get waiting(): number {
    return this.#waiting
  }

  /** 1 if a task has begun in the current turn. */
  get running(): number {
    return this.#fullAtMs === undefined ? 0 : 1
  }

  /** Whether there are such tasks at the moment. Work that nobody waits for should then leave them most of the time. */
  get isInUse(): boolean {
    return performance.now() - this.#asked.ms < IN_USE_MS
  }

  /** Whether other keys have tasks at the moment, too. */
  isShared(key: string): boolean {
    return performance.now() - this.#asked.msOfOthers(key) < SHARED_MS
  }

  /** Remembers that the key has a task. On its own, for tasks that take less time than waiting. */
  note(key: string, nowMs = performance.now()): void {
    this.#asked.note(key, nowMs)
  }

  /**
   * Returns undefined if the task may begin at once, as the first small one of a key in a turn does. Throws `QueueFull` if it
   * cannot begin soon.
   */
  wait(key: string, { isShort = false, isSmall = isShort }: TaskSize = {}): Promise<void> | undefined {
    const nowMs = performance.now()
    this.note(key, nowMs)
    if (isShort) this.#askedForShort.note(key, nowMs)
    if (this.#waiting === 0 && this.#hasTime(key, nowMs)) return undefined
    if (isSmall && this.#isFirst(key)) return undefined
    if ((this.#waitingByKey.get(key)?.length ?? 0) >= WAITING_PER_KEY_MAX) {
      this.#refused()
      throw new QueueFull('too many tasks wait for the main thread')
    }
    return this.#enqueue(key, nowMs)
  }

  /** Waits before the rest of a task that has begun: only while others have short tasks. It is never refused. */
  waitToGoOn(key: string): Promise<void> | undefined {
    const nowMs = performance.now()
    if (!this.#isShort(key, nowMs) || (this.#waiting === 0 && this.#hasTime(key, nowMs))) return undefined
    return this.#enqueue(key, Number.POSITIVE_INFINITY)
  }

  #isFirst(key: string): boolean {
    if (this.#waitingByKey.has(key) || this.#first.has(key) || this.#first.size >= FIRST_MAX) return false
    if (this.#first.size === 0) setImmediate(() => this.#first.clear())
    this.#first.add(key)
    return true
  }

  #enqueue(key: string, sinceMs: number): Promise<void> {
    const queue = this.#waitingByKey.get(key) ?? []
    this.#waiting++
    this.#waitingByKey.set(key, queue)
    const begun = new Promise<void>((begin, refuse) => queue.push({ sinceMs, begin, refuse }))
    this.#schedule()
    return begun
  }

  #isShort(key: string, nowMs: number): boolean {
    return nowMs - this.#askedForShort.msOfOthers(key) < SHARED_MS
  }

  /** Also starts the time of a turn, which ends when the loop comes to its immediates again. */
  #hasTime(key: string, nowMs: number): boolean {
    if (this.#fullAtMs === undefined) {
      const { usual, short } = this.#turnMs
      this.#fullAtMs = nowMs + (this.#isShort(key, nowMs) ? short : usual)
      setImmediate(() => {
        this.#fullAtMs = undefined
      })
    }
    return nowMs < this.#fullAtMs
  }

  /** One immediate for each task: what a task does at once is over before the next immediate runs. */
  #schedule(): void {
    while (this.#scheduled < Math.min(this.#waiting, BEGINNINGS_MAX)) {
      this.#scheduled++
      setImmediate(() => {
        this.#scheduled--
        const nowMs = performance.now()
        this.#beginNext(nowMs)
        this.#schedule()
      })
    }
  }

  #beginNext(nowMs: number): void {
    const [first] = this.#waitingByKey
    if (first === undefined || !this.#hasTime(first[0], nowMs)) return
    const [key, queue] = first
    const next = queue.shift()
    this.#waiting--
    // Moves the key to the end.
    this.#waitingByKey.delete(key)
    if (queue.length > 0) this.#waitingByKey.set(key, queue)
    if (next === undefined || nowMs - next.sinceMs <= WAIT_MS_MAX) {
      next?.begin()
      return
    }
    this.#refused()
    next.refuse(new QueueFull('the task waited too long for the main thread'))
  }
}
