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
    return this.#begin(trying.origin, { throttle: this.#passwords, key: accountKey(trying) }, nowMs)
  }

  factor(trying: Trying, nowMs: number): Attempt {
    return this.#begin(trying.origin, { throttle: this.#factors, key: accountKey(trying) }, nowMs)
  }

  /** Counts attempts with a passkey alone, which says itself whose it is. */
  anybody(origin: Origin, nowMs: number): Attempt {
    return this.#begin(origin, undefined, nowMs)
  }

  /**
   * Success clears the count of the account, because only its person can have it. It does not clear the count of the
   * address: otherwise, a guesser could clear it by signing in to an account of their own.
   */
  #begin({ address }: Origin, account: { throttle: Throttle; key: string } | undefined, nowMs: number): Attempt {
    const block = addressBlock(address)
    const retryAfterSeconds = Math.max(
      this.#addresses.waitSeconds(block, nowMs),
      account?.throttle.waitSeconds(account.key, nowMs) ?? 0,
    )
    if (retryAfterSeconds > 0) return { retryAfterSeconds }
    account?.throttle.begin(account.key, nowMs)
    const nextAtMs = this.#addresses.begin(block, nowMs)
    return {
      retryAfterSeconds: 0,
      succeed: () => {
        account?.throttle.succeed(account.key)
        this.#addresses.takeBack(block, nextAtMs)
      },
    }
  }
}

/** A guesser must not slow down the person in a browser that they have used before. */
const accountKey = ({ email, userId, knownUserId }: Trying): string =>
  userId !== undefined && userId === knownUserId ? `known browser of ${userId}` : foldEmail(email)
