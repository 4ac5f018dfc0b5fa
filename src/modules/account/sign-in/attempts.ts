import { MINUTE_MS } from '../../../platform/clock/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { Origin } from '../sessions/index.ts'
import { foldEmail } from '../users/index.ts'
import { Throttle } from './throttle.ts'

const ACCOUNT_FREE_FAILURES = 5
/** More, because the people of an office share an address. */
const ADDRESS_FREE_FAILURES = 30
/** Codes are short. Only somebody who knows the password can make a person wait this long, in browsers new to them. */
const FACTOR_WAIT_MS_MAX = 5 * MINUTE_MS

/** Who tries to prove who they are, and from where. */
export interface Trying {
  email: string
  /** Undefined if there is no account with this address. */
  userId: string | undefined
  /** The person who signed in with this browser before. */
  knownUserId: string | undefined
  origin: Origin
}

/** It counts as failed unless `succeed` is called. */
export type Attempt = { retryAfterSeconds: number } | { retryAfterSeconds: 0; succeed: () => void }

/** Slows down guessers of passwords and codes. */
export class Attempts {
  readonly #passwords = new Throttle(ACCOUNT_FREE_FAILURES)
  /** Separate, because a guesser who knows the password could clear the count by entering it again. */
  readonly #factors = new Throttle(ACCOUNT_FREE_FAILURES, FACTOR_WAIT_MS_MAX)
  readonly #addresses = new Throttle(ADDRESS_FREE_FAILURES)

  password(trying: Trying, nowMs: number): Attempt {
    return this.#begin([[this.#passwords, accountKey(trying)], ...this.#ofAddress(trying.origin)], nowMs)
  }

  factor(trying: Trying, nowMs: number): Attempt {
    return this.#begin([[this.#factors, accountKey(trying)], ...this.#ofAddress(trying.origin)], nowMs)
  }

  /** Counts attempts with a passkey alone, which says itself whose it is. */
  anybody(origin: Origin, nowMs: number): Attempt {
    return this.#begin(this.#ofAddress(origin), nowMs)
  }

  #ofAddress({ address }: Origin): [Throttle, string][] {
    return [[this.#addresses, addressBlock(address)]]
  }

  #begin(counts: [Throttle, string][], nowMs: number): Attempt {
    const retryAfterSeconds = Math.max(...counts.map(([throttle, key]) => throttle.waitSeconds(key, nowMs)))
    if (retryAfterSeconds > 0) return { retryAfterSeconds }
    for (const [throttle, key] of counts) throttle.begin(key, nowMs)
    return {
      retryAfterSeconds: 0,
      succeed: () => {
        for (const [throttle, key] of counts) throttle.succeed(key)
      },
    }
  }
}

/** A guesser must not slow down the person in a browser that they have used before. */
const accountKey = ({ email, userId, knownUserId }: Trying): string =>
  userId !== undefined && userId === knownUserId ? `known browser of ${userId}` : foldEmail(email)
