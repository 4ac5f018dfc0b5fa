import { insertAuditEntries } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/address-block.ts'
import { isOutdated, type PasswordHasher } from '../../../platform/passwords/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Mails } from '../mails/index.ts'
import { findFirstOrganisation } from '../members/index.ts'
import { type Origin, personActor, startSession } from '../sessions/index.ts'
import { findUserByEmail, foldEmail, rememberLanguage, setPasswordHash, type User } from '../users/index.ts'
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
  /** Of the page. */
  language: string
}

const SIGNED_IN = { action: 'session.created', resource: { type: 'session', id: null }, changes: null }
const FAILED = { action: 'sign_in.failed', resource: { type: 'session', id: null }, changes: null }

const ACCOUNT_FREE_FAILURES = 5
/** More, because the people of an office share an address. */
const ADDRESS_FREE_FAILURES = 30

/** Signs people in by email address and password. */
export class SignIn {
  readonly #database: Database
  readonly #passwords: PasswordHasher
  readonly #mails: Mails
  readonly #log: Logger
  readonly #perAccount = new Throttle(ACCOUNT_FREE_FAILURES)
  readonly #perAddress = new Throttle(ADDRESS_FREE_FAILURES)

  constructor(database: Database, passwords: PasswordHasher, mails: Mails, log: Logger) {
    this.#database = database
    this.#passwords = passwords
    this.#mails = mails
    this.#log = log
  }

  /** The result and the time it takes do not tell whether there is an account with this address. */
  async signIn(attempt: Attempt, nowMs: number): Promise<SignInResult> {
    const { email, password, origin, knownUserId } = attempt
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
    if (user === undefined || !isRight || user.deactivated_at !== null) {
      if (user !== undefined) this.#recordFailure(user, origin, timestamp(nowMs))
      return { kind: 'refused' }
    }
    this.#perAccount.succeed(account)
    this.#perAddress.succeed(block)
    const renewed = isOutdated(user.password_hash ?? '') ? await this.#passwords.hash(password, block) : undefined
    const isNoticed = !isKnown && (await this.#mails.admits('notice', user.id, nowMs))
    return this.#start(user, attempt, renewed, isNoticed, timestamp(nowMs))
  }

  /** In the background: the time of the response must not tell that there is an account. */
  #recordFailure(user: User, origin: Origin, now: Timestamp): void {
    const recorded = this.#database.write(async (tx) => {
      const orgId = await findFirstOrganisation(tx, user.id)
      if (orgId !== undefined) await insertAuditEntries(tx, orgId, personActor(user, origin), [FAILED], now)
    })
    recorded.catch((error) => this.#log.warn({ err: error }, 'a failed sign-in could not be recorded'))
  }

  /** `isNoticed` tells the person about it, because the browser is new. */
  #start(
    user: User,
    { origin, language }: Attempt,
    renewedHash: string | undefined,
    isNoticed: boolean,
    now: Timestamp,
  ): Promise<SignInResult> {
    return this.#database.write(async (tx) => {
      if (renewedHash !== undefined) await setPasswordHash(tx, user.id, renewedHash, now)
      const orgId = (await findFirstOrganisation(tx, user.id)) ?? null
      const session = await startSession(tx, user.id, orgId, origin, now)
      if (orgId !== null) await insertAuditEntries(tx, orgId, personActor(user, origin), [SIGNED_IN], now)
      await rememberLanguage(tx, user, language)
      if (isNoticed) await this.#mails.toPerson(tx, { ...user, language }, 'new_device', { ...origin, time: now }, now)
      return { kind: 'signed_in', ...session, user }
    })
  }
}
