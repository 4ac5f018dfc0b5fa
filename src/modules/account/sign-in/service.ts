import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { PasswordHasher } from '../../../platform/passwords/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { AddressProofs } from '../address-proofs/index.ts'
import { hasFactors, type Proof, type Proofs, type SentPasskey, type Tickets } from '../factors/index.ts'
import type { Origin } from '../sessions/index.ts'
import {
  findUser,
  findUserByEmail,
  isUnchanged,
  lockUser,
  NOTICES,
  rememberLanguage,
  setPasswordHash,
  type User,
} from '../users/index.ts'
import type { Attempts } from './attempts.ts'
import { signInMails } from './mails.ts'
import { recordFailure, startRecorded } from './records.ts'
import { findNextStep, findPersonAt, type NextStep, type SignInStep } from './steps.ts'

export type SignInResult =
  | { kind: 'signed_in'; token: string; expiresAt: Timestamp; user: User }
  | NextStep
  | { kind: 'refused' }
  | { kind: 'too_soon'; retryAfterSeconds: number }

/** The place from where somebody tries to sign in. */
export interface SignInPlace {
  origin: Origin
  /** Identifies the browser that goes on to the next step. */
  browser: string
  /** The person who signed in with this browser before. */
  knownUserId: string | undefined
  /** The language of the page. */
  language: string
}

/** A code, or a passkey as the browser sent it. */
export type SentFactor = { code: string } | Omit<SentPasskey, 'browser'>

interface Dependencies {
  database: Database
  passwords: PasswordHasher
  proofs: Proofs
  tickets: Tickets
  addresses: AddressProofs
  attempts: Attempts
  mails: Mails
  log: Logger
}

/** Signs people in by email address and password, with a second factor if they have one, or by a passkey alone. */
export class SignIn {
  readonly #uses: Dependencies

  constructor(dependencies: Dependencies) {
    this.#uses = dependencies
  }

  /** The result and the time it takes do not tell whether there is an account with this address. */
  async signIn(
    { email, password, ...place }: SignInPlace & { email: string; password: string },
    nowMs: number,
  ): Promise<SignInResult> {
    const { origin, knownUserId } = place
    const { database, passwords, attempts, log } = this.#uses
    const user = await findUserByEmail(database.read, email)
    const attempt = attempts.password({ email, userId: user?.id, knownUserId, origin }, nowMs)
    if (!('succeed' in attempt)) return { kind: 'too_soon', ...attempt }
    const client = addressBlock(origin.address)
    const isRight = await passwords.verify(password, user?.password_hash ?? null, client)
    if (user === undefined || !isRight || user.deactivated_at !== null) {
      if (user !== undefined) recordFailure(database, log, user, origin, undefined, timestamp(nowMs))
      return { kind: 'refused' }
    }
    attempt.succeed()
    const isOutdated = passwords.isOutdated(user.password_hash ?? '')
    const current = isOutdated ? await this.#renewHash(user, password, client, nowMs) : user
    return (await this.#findNextStep(current, place, nowMs)) ?? this.#start(current, place, nowMs)
  }

  /** The person who may take the step. Undefined if they have to begin again. */
  findPersonAt(step: SignInStep, ticket: string, browser: string, nowMs: number): Promise<User | undefined> {
    return findPersonAt(step, this.#uses.tickets, this.#uses.database, ticket, browser, nowMs)
  }

  async takeSecondStep(user: User, factor: SentFactor, place: SignInPlace, nowMs: number): Promise<SignInResult> {
    const { origin, browser, knownUserId } = place
    const { attempts, proofs } = this.#uses
    const attempt = attempts.factor({ email: user.email, userId: user.id, knownUserId, origin }, nowMs)
    if (!('succeed' in attempt)) return { kind: 'too_soon', ...attempt }
    const proof =
      'code' in factor
        ? await proofs.checkCode(user.id, factor.code, nowMs)
        : await proofs.checkPasskey('second_factor', user.id, { ...factor, browser }, nowMs)
    const result = await this.#start(user, place, nowMs, proof ?? null)
    if (result.kind === 'signed_in') attempt.succeed()
    return result
  }

  /** Signs in the person whose passkey it is. */
  async withPasskey(passkey: Omit<SentPasskey, 'browser'>, place: SignInPlace, nowMs: number): Promise<SignInResult> {
    const { origin, browser } = place
    const { database, addresses, attempts, proofs } = this.#uses
    const attempt = attempts.anybody(origin, nowMs)
    if (!('succeed' in attempt)) return { kind: 'too_soon', ...attempt }
    const proof = await proofs.checkPasskey('sign_in', null, { ...passkey, browser }, nowMs)
    const user = proof && (await findUser(database.read, proof.userId))
    if (proof === undefined || user === undefined || user.deactivated_at !== null) return { kind: 'refused' }
    const next = addresses.isNeeded(user) ? await this.#findNextStep(user, place, nowMs) : undefined
    const result = next ?? (await this.#start(user, place, nowMs, proof))
    if (result.kind === 'signed_in') attempt.succeed()
    return result
  }

  /** Stores the password with today's cost, unless there is another password by now. */
  async #renewHash(user: User, password: string, client: string, nowMs: number): Promise<User> {
    const { database, passwords } = this.#uses
    const password_hash = await passwords.hash(password, client)
    return database.write(async (tx) => {
      if (!isUnchanged(user, await lockUser(tx, user.id))) return user
      await setPasswordHash(tx, user.id, password_hash, timestamp(nowMs))
      return { ...user, password_hash }
    })
  }

  async #findNextStep(user: User, { browser, language }: SignInPlace, nowMs: number): Promise<NextStep | undefined> {
    const { database, addresses } = this.#uses
    const next = await findNextStep(database.read, this.#uses, user, browser, nowMs)
    if (next?.step === 'address_step') await addresses.request({ ...user, language }, nowMs)
    return next
  }

  /**
   * `proof` is null if there was none, although one is needed. What was proved counts only if it still does in the
   * transaction: somebody may have set a new password meanwhile, because another person knew this one.
   */
  async #start(user: User, place: SignInPlace, nowMs: number, proof?: Proof | null): Promise<SignInResult> {
    const { database, mails, log } = this.#uses
    const { origin, language } = place
    const now = timestamp(nowMs)
    // The person hears of a browser that they have not used before.
    const isNoticed = proof !== null && user.id !== place.knownUserId && (await mails.admits(NOTICES, user.id, nowMs))
    const session =
      proof === null
        ? undefined
        : await database.write(async (tx) => {
            if (!isUnchanged(user, await lockUser(tx, user.id))) return undefined
            if (proof === undefined ? await hasFactors(tx, user.id) : !(await proof.take(tx))) return undefined
            await rememberLanguage(tx, user, language)
            const recipient = { ...user, language }
            if (isNoticed) await mails.toPerson(tx, recipient, signInMails.newDevice, { ...origin, time: now }, now)
            return startRecorded(tx, user, origin, proof?.kind, now)
          })
    if (session !== undefined) return { kind: 'signed_in', ...session, user }
    recordFailure(database, log, user, origin, proof?.kind, now)
    return { kind: 'refused' }
  }
}
