import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import { findPasswordProblem, type PasswordHasher, type PasswordProblem } from '../../../platform/passwords/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { AddressProofs } from '../address-proofs/index.ts'
import { type CleanUpAfterGrant, endGrantsEverywhere } from '../connected-applications/index.ts'
import { endAccess } from '../end-access/index.ts'
import type { Tickets } from '../factors/index.ts'
import { auditPerson, findFirstOrganisation } from '../members/index.ts'
import { createLink, dropLinks, findLink, takeLink } from '../one-time-links/index.ts'
import {
  endOtherSessions,
  type Origin,
  personActor,
  type RenewedSession,
  renewSession,
  type SignedIn,
  startSession,
} from '../sessions/index.ts'
import { type Attempts, findNextStep, type NextStep } from '../sign-in/index.ts'
import {
  confirmAddress,
  findUser,
  findUserByEmail,
  isUnchanged,
  LINKS,
  lockUser,
  NOTICES,
  setPasswordHash,
  type User,
} from '../users/index.ts'
import { passwordMails, REQUESTS } from './mails.ts'

export type ResetResult =
  | { kind: 'reset'; token: string; expiresAt: Timestamp; user: User }
  | NextStep
  | { kind: 'weak_password'; problem: PasswordProblem }
  /** The link was used already, or has expired. */
  | { kind: 'used' }

export type ChangeResult = RenewedSession | { retryAfterSeconds: number } | 'wrong_password' | PasswordProblem

interface Dependencies {
  database: Database
  passwords: PasswordHasher
  mails: Mails
  tickets: Tickets
  addresses: AddressProofs
  attempts: Attempts
  cleanUpAfterGrant: CleanUpAfterGrant
  log: Logger
}

/**
 * Sets new passwords. All other sessions and links of the person end, because somebody else may know the old password: also
 * a link to another address that they have asked for.
 */
export class Passwords {
  readonly #database: Database
  readonly #hasher: PasswordHasher
  readonly #mails: Mails
  readonly #uses: Dependencies

  constructor(dependencies: Dependencies) {
    this.#database = dependencies.database
    this.#hasher = dependencies.passwords
    this.#mails = dependencies.mails
    this.#uses = dependencies
  }

  /**
   * Mails a link to the person with this address, if there is one. In the background: neither the response nor its time
   * may tell whether there is. If the process ends before that, the person asks again.
   */
  requestReset(email: string, origin: Origin, nowMs: number): void {
    this.#mailLink(email, origin, nowMs).catch((error) =>
      this.#uses.log.warn({ err: error }, 'a link for a new password could not be mailed'),
    )
  }

  async #mailLink(email: string, origin: Origin, nowMs: number): Promise<void> {
    if (!(await this.#mails.admits(REQUESTS, addressBlock(origin.address), nowMs))) return
    const user = await findUserByEmail(this.#database.read, email)
    if (user === undefined || user.deactivated_at !== null) return
    if (!(await this.#mails.admits(LINKS, user.id, nowMs))) return
    const now = timestamp(nowMs)
    await this.#database.write(async (tx) => {
      const token = await createLink(tx, 'reset_password', { userId: user.id }, now)
      await this.#mails.toPerson(tx, user, passwordMails.reset, { token }, now)
      await record(tx, 'user.password_reset_requested', user, origin, now)
    })
  }

  /** The person whose password a link resets. Undefined if the link does not work any more. */
  async findPerson(token: string, now: Timestamp): Promise<User | undefined> {
    const link = await findLink(this.#database.read, 'reset_password', token, now)
    return link && findUser(this.#database.read, link.user_id as string)
  }

  /**
   * Sets the password by a link and signs the person in, unless they have to take another step. A person with the link can
   * read the mail of the address, or got it from the operator.
   */
  async reset(
    token: string,
    password: string,
    { origin, browser }: { origin: Origin; browser: string },
    nowMs: number,
  ): Promise<ResetResult> {
    const now = timestamp(nowMs)
    const user = await this.findPerson(token, now)
    if (user === undefined || user.deactivated_at !== null) return { kind: 'used' }
    const problem = findPasswordProblem(password, user.email)
    if (problem !== undefined) return { kind: 'weak_password', problem }
    const hash = await this.#hasher.hash(password, addressBlock(origin.address))
    const isNoticed = await this.#mails.admits(NOTICES, user.id, nowMs)
    return this.#database.write(async (tx) => {
      const locked = await lockUser(tx, user.id)
      if (locked === undefined || locked.deactivated_at !== null) return { kind: 'used' }
      if ((await takeLink(tx, 'reset_password', token, now)) === undefined) return { kind: 'used' }
      await setPasswordHash(tx, user.id, hash, now)
      await confirmAddress(tx, locked, now)
      await endAccess(tx, user.id, personActor(user, origin), now, this.#uses.cleanUpAfterGrant)
      if (isNoticed) await this.#notice(tx, locked, origin, now)
      await record(tx, 'user.password_changed', user, origin, now)
      const current = { ...locked, password_hash: hash, email_confirmed_at: locked.email_confirmed_at ?? now }
      const next = await findNextStep(tx, this.#uses, current, browser, nowMs)
      if (next !== undefined) return next
      const orgId = (await findFirstOrganisation(tx, user.id)) ?? null
      return { kind: 'reset', ...(await startSession(tx, user.id, orgId, origin, now)), user: current }
    })
  }

  /**
   * Changes the password of a person who is signed in and knows the old one. With `endsGrants`, their applications are
   * disconnected, too.
   */
  async change(
    person: Pick<SignedIn, 'id' | 'user_id' | 'expires_at'>,
    { current, next, endsGrants }: { current: string; next: string; endsGrants: boolean },
    { origin, knownUserId }: { origin: Origin; knownUserId: string | undefined },
    nowMs: number,
  ): Promise<ChangeResult> {
    const client = addressBlock(origin.address)
    const user = await findUser(this.#database.read, person.user_id)
    if (user === undefined) return 'wrong_password'
    // A stolen session must not be a way to guess the password.
    const attempt = this.#uses.attempts.password({ email: user.email, userId: user.id, knownUserId, origin }, nowMs)
    if (!('succeed' in attempt)) return attempt
    if (!(await this.#hasher.verify(current, user.password_hash, client))) return 'wrong_password'
    attempt.succeed()
    const problem = findPasswordProblem(next, user.email)
    if (problem !== undefined) return problem
    const hash = await this.#hasher.hash(next, client)
    const now = timestamp(nowMs)
    const isNoticed = await this.#mails.admits(NOTICES, user.id, nowMs)
    return this.#database.write(async (tx) => {
      if (!isUnchanged(user, await lockUser(tx, user.id))) return 'wrong_password'
      await setPasswordHash(tx, user.id, hash, now)
      await endOtherSessions(tx, user.id, person.id)
      await dropLinks(tx, user.id)
      if (endsGrants)
        await endGrantsEverywhere(tx, user.id, personActor(user, origin), now, this.#uses.cleanUpAfterGrant)
      if (isNoticed) await this.#notice(tx, user, origin, now)
      await record(tx, 'user.password_changed', user, origin, now)
      return renewSession(tx, person)
    })
  }

  #notice(tx: Tx, user: User, origin: Origin, now: Timestamp): Promise<void> {
    return this.#mails.toPerson(tx, user, passwordMails.changed, { ...origin, time: now }, now)
  }
}

const record = (
  tx: Tx,
  action: 'user.password_changed' | 'user.password_reset_requested',
  user: User,
  origin: Origin,
  now: Timestamp,
): Promise<void> => {
  const entry = { action, resource: { type: 'user', id: user.id }, changes: null }
  return auditPerson(tx, user.id, personActor(user, origin), [entry], now)
}
