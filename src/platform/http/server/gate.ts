import type { IncomingMessage } from 'node:http'
import { type LoopTurns, QueueFull } from '../../bounded/index.ts'
import type { AddressLimits, Paced } from '../../rate-limit/index.ts'
import { addressBlock } from './address-block.ts'

/** What to wait for if the main thread has too much to do. */
const TURN_SECONDS = 5

/** Where requests of strangers wait until they may cost something. An organisation has limits and turns of its own. */
export class Gate {
  readonly #limits: AddressLimits
  readonly #turns: LoopTurns
  readonly #addressOf: (request: IncomingMessage) => string

  constructor(limits: AddressLimits, turns: LoopTurns, addressOf: (request: IncomingMessage) => string) {
    this.#limits = limits
    this.#turns = turns
    this.#addressOf = addressOf
  }

  /** Returns 0 when the request may go on, else the seconds after which another one may. */
  async admit(kind: Paced, request: IncomingMessage): Promise<number> {
    const seconds = this.#limits.take(kind, request)
    if (seconds > 0) return seconds
    try {
      await this.#turns.wait(addressBlock(this.#addressOf(request)))
      return 0
    } catch (error) {
      if (error instanceof QueueFull) return TURN_SECONDS
      throw error
    }
  }
}
