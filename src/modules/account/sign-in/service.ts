import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/address-block.ts'
import { isOutdated, type PasswordHasher } from '../../../platform/passwords/index.ts'
import { findFirstOrganisation } from '../members/index.ts'
import { type Origin, startSession } from '../sessions/index.ts'
import { findUserByEmail, foldEmail, setPasswordHash, type User } from '../users/index.ts'
import { Throttle } from './throttle.ts'

export type SignInResult =
  | { kind: 'signed_in'; token: string; expiresAt: Timestamp; user: User }
  | { kind: 'refused' }
  | { kind: 'too_soon'; retryAfterSeconds: number }

export interface Attempt {
  email: string
  password: string
  origin: Origin
  /** The person who signed in with this browser before. */
  knownUserId: string | undefined
}

const ACCOUNT_FREE_FAILURES = 5
/** More, because the people of an office share an address. */
const ADDRESS_FREE_FAILURES = 30

/** Signs people in by email address and password. */
export class SignIn {
  readonly #database: Database
  readonly #passwords: PasswordHasher
  readonly #perAccount = new Throttle(ACCOUNT_FREE_FAILURES)
  readonly #perAddress = new Throttle(ADDRESS_FREE_FAILURES)

  constructor(database: Database, passwords: PasswordHasher) {
    this.#database = database
    this.#passwords = passwords
  }

  /** The result and the time it takes do not tell whether there is an account with this address. */
  async signIn({ email, password, origin, knownUserId }: Attempt, nowMs: number): Promise<SignInResult> {
    const block = addressBlock(origin.address)
    const user = await findUserByEmail(this.#database.read, email)
    // A guesser must not slow down the person in a browser that they have used before.
    const isKnown = user !== undefined && user.id === knownUserId
    const account = isKnown ? `known browser of ${user.id}` : foldEmail(email)
    const retryAfterSeconds = Math.max(
      this.#perAccount.waitSeconds(account, nowMs),
      this.#perAddress.waitSeconds(block, nowMs),
    )
    if (retryAfterSeconds > 0) return { kind: 'too_soon', retryAfterSeconds }
    this.#perAccount.begin(account, nowMs)
    this.#perAddress.begin(block, nowMs)
    const isRight = await this.#passwords.verify(password, user?.password_hash ?? null, block)
    if (user === undefined || !isRight || user.deactivated_at !== null) return { kind: 'refused' }
    this.#perAccount.succeed(account)
    this.#perAddress.succeed(block)
    const renewed = isOutdated(user.password_hash ?? '') ? await this.#passwords.hash(password, block) : undefined
    return this.#start(user, origin, renewed, timestamp(nowMs))
  }

  #start(user: User, origin: Origin, renewedHash: string | undefined, now: Timestamp): Promise<SignInResult> {
    return this.#database.write(async (tx) => {
      if (renewedHash !== undefined) await setPasswordHash(tx, user.id, renewedHash, now)
      const orgId = (await findFirstOrganisation(tx, user.id)) ?? null
      const session = await startSession(tx, user.id, orgId, origin, now)
      return { kind: 'signed_in', ...session, user }
    })
  }
}
