import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { FairQueue, LoopTurns, QueueFull } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import type { AddressLimits, Paced } from '../../rate-limit/index.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { addressBlock } from './address-block.ts'

/** What to wait for if the main thread has too much to do. */
const TURN_SECONDS = 5
/** Strangers have many addresses, and each has its turn: so these turns are short, and nobody else waits for them. */
const TURN_MS = { usual: 1, short: 0.5 }
/** More refused requests than this at once, and then in a second, are an attack. */
const REFUSED_MAX = { atOnce: 100, perSecond: 50 }
/**
 * How long a refused request then waits for its response, because most programs send the next one after it. At random, so that
 * they do not come together.
 */
const HOLD_MS = { min: 500, max: 1500 }
/** Requests that wait for that at once. Each has a connection. */
const HELD_MAX = 500

/**
 * What one address has begun and not yet received. With PostgreSQL, every request waits for it several times: a hundred at once
 * would use up its connections, and each turn of the main thread would go on with all of them.
 */
const BEGUN_MAX = 4
/** Until then, a request counts as begun. One may wait long, for its body or for a lock, and the others not for it. */
const BEGUN_MS_MAX = 50
const WAITING_MAX = 500
const WAIT_MS_MAX = 10 * SECOND_MS

/** Where requests of strangers wait until they may cost something. An organisation has limits and turns of its own. */
export class Gate {
  readonly #limits: AddressLimits
  readonly #begun = new FairQueue({
    runningMax: Number.POSITIVE_INFINITY,
    runningPerKeyMax: BEGUN_MAX,
    waitingPerKeyMax: WAITING_MAX,
    waitMsMax: WAIT_MS_MAX,
  })
  readonly #turns: LoopTurns
  readonly #addressOf: (request: IncomingMessage) => string
  /** Refused requests, less those that are allowed in the time that has passed. */
  #refused = 0
  #refusedAtMs = 0
  #held = 0

  constructor(limits: AddressLimits, metrics: Metrics, addressOf: (request: IncomingMessage) => string) {
    this.#limits = limits
    this.#turns = new LoopTurns(metrics, TURN_MS, 'strangers')
    this.#addressOf = addressOf
    this.#begun.onRefused = () => metrics.refused.inc({ limit: 'strangers_begun' })
    metrics.watchQueue('strangers_begun', this.#begun)
  }

  /** Returns 0 when the request may go on, else the seconds after which another one may. */
  async admit(kind: Paced, request: IncomingMessage, response: ServerResponse): Promise<number> {
    const seconds = this.#limits.take(kind, request)
    if (seconds > 0) {
      await this.#slowDown()
      return seconds
    }
    try {
      const block = addressBlock(this.#addressOf(request))
      await this.#begin(block, response)
      await this.#turns.wait(block)
      return 0
    } catch (error) {
      if (error instanceof QueueFull) return TURN_SECONDS
      throw error
    }
  }

  #begin(block: string, response: ServerResponse): Promise<void> {
    return new Promise((begin, refuse) => {
      const begun = () => {
        begin()
        return endOf(response)
      }
      this.#begun.run(block, begun).catch(refuse)
    })
  }

  async #slowDown(): Promise<void> {
    const nowMs = performance.now()
    const allowed = (REFUSED_MAX.perSecond * (nowMs - this.#refusedAtMs)) / SECOND_MS
    this.#refused = Math.max(0, this.#refused - allowed) + 1
    this.#refusedAtMs = nowMs
    if (this.#refused <= REFUSED_MAX.atOnce || this.#held >= HELD_MAX) return
    this.#held++
    await sleep(HOLD_MS.min + Math.random() * (HOLD_MS.max - HOLD_MS.min))
    this.#held--
  }
}

/** Resolves once a response was sent, or after `BEGUN_MS_MAX`. */
const endOf = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.closed) return resolve()
    const timer = setTimeout(resolve, BEGUN_MS_MAX)
    response.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
