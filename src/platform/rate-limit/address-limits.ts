import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { countLimit } from '../bounded/index.ts'
import { type Clock, SECOND_MS } from '../clock/index.ts'
import { addressBlock } from '../http/server/address-block.ts'

/** How often one address may do something: so many times at once, and then so many times a second. */
export interface Pace {
  atOnce: number
  perSecond: number
}

/**
 * What strangers can make us do, by what it costs. Many people may share an address, so all of them together can do much more
 * here than they need. It only keeps one address from using the whole service.
 */
export const PACES = {
  /** A page that is made for each request. */
  page: { atOnce: 100, perSecond: 40 },
  /** What people send from a page: a form, a message, a password. */
  form: { atOnce: 30, perSecond: 10 },
  search: { atOnce: 20, perSecond: 5 },
  /** An application asks a person. Each request is stored until they have decided. */
  authorisation: { atOnce: 10, perSecond: 1 },
  /** A program may refresh the tokens of many people from one address. */
  token: { atOnce: 60, perSecond: 5 },
} satisfies Record<string, Pace>

export type Paces = Record<keyof typeof PACES, Pace>
export type Paced = keyof Paces

/** Limits the memory. Beyond this, the address that was seen the longest time ago begins anew. */
const ADDRESSES_MAX = 20_000

/**
 * Limits what one address makes the service do, before anything is read, looked up or rendered. Only in memory, and only one
 * number for each address: a request that is refused must cost next to nothing.
 */
export class AddressLimits {
  readonly #paces: Paces
  readonly #addressOf: (request: IncomingMessage) => string
  readonly #clock: Clock
  readonly #onRefused: (limit: string) => void
  /** When the address has earned back all that it has used, by what is limited and the address. */
  readonly #recoveredAtMs = new LRUCache<string, number>(countLimit(ADDRESSES_MAX))

  constructor(
    paces: Paces,
    addressOf: (request: IncomingMessage) => string,
    clock: Clock,
    onRefused: (limit: string) => void,
  ) {
    this.#paces = paces
    this.#addressOf = addressOf
    this.#clock = clock
    this.#onRefused = onRefused
  }

  /** Counts a request. Returns 0 if it may go on, else the seconds after which one may. A refused request does not count. */
  take(kind: Paced, request: IncomingMessage): number {
    const { atOnce, perSecond } = this.#paces[kind]
    const key = `${kind} ${addressBlock(this.#addressOf(request))}`
    const nowMs = this.#clock()
    const costMs = SECOND_MS / perSecond
    const knownMs = this.#recoveredAtMs.get(key) ?? 0
    // It is never further ahead, unless the clock was set back.
    const hasJumped = knownMs - nowMs > atOnce * costMs
    const recoveredAtMs = (hasJumped ? nowMs : Math.max(nowMs, knownMs)) + costMs
    const earlyMs = recoveredAtMs - nowMs - atOnce * costMs
    if (earlyMs > 0) {
      this.#onRefused(`address_${kind}`)
      return Math.ceil(earlyMs / SECOND_MS)
    }
    this.#recoveredAtMs.set(key, recoveredAtMs)
    return 0
  }
}
