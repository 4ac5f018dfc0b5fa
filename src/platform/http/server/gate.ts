import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { LoopTurns, QueueFull } from '../../bounded/index.ts'
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

/** Where requests of strangers wait until they may cost something. An organisation has limits and turns of its own. */
export class Gate {
  readonly #limits: AddressLimits
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
  }

  /** Returns 0 when the request may go on, else the seconds after which another one may. */
  async admit(kind: Paced, request: IncomingMessage): Promise<number> {
    const seconds = this.#limits.take(kind, request)
    if (seconds > 0) {
      await this.#slowDown()
      return seconds
    }
    try {
      await this.#turns.wait(addressBlock(this.#addressOf(request)))
      return 0
    } catch (error) {
      if (error instanceof QueueFull) return TURN_SECONDS
      throw error
    }
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
