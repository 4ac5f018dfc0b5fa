import { LRUCache } from 'lru-cache'
import { type Clock, SECOND_MS } from '../platform/clock/index.ts'
import { DatabaseUnavailable } from '../platform/db/failures.ts'
import { withTimeout } from '../platform/db/timeout.ts'

export interface MemoryOptions<Value> {
  /** Those that are there, of these keys. */
  load: (keys: readonly string[]) => Promise<Map<string, Value>>
  /** About how many bytes a value takes. */
  sizeOf: (value: Value) => number
  bytesMax: number
  clock: Clock
  /** Shared by all that ask the same database. */
  availability: Availability
}

/** Whether the database did not answer when it was last asked. */
interface Availability {
  isAway: boolean
}

/** Short, because nobody announces what comes to be in another way than through the API. */
const UNKNOWN_MS = 5 * SECOND_MS
const UNKNOWN_MAX = 50_000
/** Longer than any look-up that is going to succeed; then what is remembered has to do. */
const LOAD_TIMEOUT_MS = SECOND_MS
/** Keys of one look-up. */
const BATCH_MAX = 64

interface Remembered<Value> {
  value: Value
  /** Of the generation in which it was read: it is trusted in no other. */
  generation: number
}

interface Question<Value> extends PromiseWithResolvers<Value | undefined> {
  key: string
}

/**
 * Remembers what was looked up, until a change is announced. One look-up is under way at a time, for all keys that
 * were asked for meanwhile: however many are guessed, the database sees one question after the other.
 *
 * When announcements may have been missed, everything is looked up anew; when the database does not answer, what
 * is remembered is better than nothing.
 */
export class Memory<Value> {
  readonly #options: MemoryOptions<Value>
  readonly #known: LRUCache<string, Remembered<Value>>
  /** Until when each is taken for not there. */
  readonly #unknown: LRUCache<string, number>
  /** Who asks for the same key while it is being looked up waits for the same answer. */
  readonly #asked = new Map<string, Question<Value>>()
  #queue: Question<Value>[] = []
  #isLoading = false
  #generation = 0
  #isTold = false

  constructor(options: MemoryOptions<Value>) {
    this.#options = options
    this.#known = new LRUCache({
      maxSize: options.bytesMax,
      sizeCalculation: ({ value }, key) => key.length + options.sizeOf(value) + 100,
    })
    this.#unknown = new LRUCache({ max: UNKNOWN_MAX })
  }

  /** What is known for certain, at once: the value, null for what is not there, undefined when it must be asked. */
  peek(key: string): Value | null | undefined {
    if (!this.#isTold) return undefined
    const known = this.#known.get(key)
    if (known !== undefined) return known.generation === this.#generation ? known.value : undefined
    const unknownUntilMs = this.#unknown.get(key)
    return unknownUntilMs !== undefined && this.#options.clock() < unknownUntilMs ? null : undefined
  }

  /** Undefined for what is not there. Throws when the database does not answer and nothing is remembered. */
  async find(key: string): Promise<Value | undefined> {
    const known = this.peek(key)
    if (known !== undefined) return known ?? undefined
    const remembered = this.#known.get(key)
    const answer = this.#ask(key)
    if (remembered === undefined) return answer
    try {
      // Nobody waits for a database that did not answer. That it does again is found out meanwhile.
      if (this.#options.availability.isAway) {
        answer.catch(() => {})
        return remembered.value
      }
      return await answer
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return remembered.value
      throw error
    }
  }

  /** A look-up that is under way may have read what was there before; whoever asks from now on starts a new one. */
  forget(key: string): void {
    this.#known.delete(key)
    this.#unknown.delete(key)
    this.#asked.delete(key)
  }

  /** Whether changes are told at present. Either way, nothing that was read until now can be trusted. */
  told(isTold: boolean): void {
    this.#generation++
    this.#isTold = isTold
    // Who tells can be asked, too: what is remembered from before would be one answer too many.
    if (isTold) this.#options.availability.isAway = false
    this.#unknown.clear()
    this.#asked.clear()
  }

  #ask(key: string): Promise<Value | undefined> {
    let question = this.#asked.get(key)
    if (question === undefined) {
      question = { key, ...Promise.withResolvers<Value | undefined>() }
      this.#asked.set(key, question)
      this.#queue.push(question)
      if (!this.#isLoading) void this.#loadQueue()
    }
    return question.promise
  }

  async #loadQueue(): Promise<void> {
    this.#isLoading = true
    while (this.#queue.length > 0) {
      let questions = this.#queue.splice(0, BATCH_MAX)
      const keys = [...new Set(questions.map(({ key }) => key))]
      try {
        const found = await withTimeout(this.#options.load(keys), LOAD_TIMEOUT_MS)
        this.#options.availability.isAway = false
        for (const question of questions) this.#answer(question, found.get(question.key))
      } catch (error) {
        // Whoever came meanwhile hears it now, too: batch after batch they would wait in vain, ever more of them.
        if (error instanceof DatabaseUnavailable) {
          this.#options.availability.isAway = true
          questions = questions.concat(this.#queue.splice(0))
        }
        for (const question of questions) {
          if (this.#asked.get(question.key) === question) this.#asked.delete(question.key)
          question.reject(error)
        }
      }
    }
    this.#isLoading = false
  }

  /** Forgotten meanwhile, it is not kept: those who wait asked before the change, those who come later ask anew. */
  #answer(question: Question<Value>, value: Value | undefined): void {
    const { key } = question
    if (this.#asked.get(key) === question) {
      this.#asked.delete(key)
      if (value !== undefined) this.#known.set(key, { value, generation: this.#generation })
      else {
        // What is remembered of an earlier generation is no more.
        this.#known.delete(key)
        this.#unknown.set(key, this.#options.clock() + UNKNOWN_MS)
      }
    }
    question.resolve(value)
  }
}
