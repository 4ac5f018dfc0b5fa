import { insertAuditEntries } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import { findPasswordProblem, type PasswordHasher, type PasswordProblem } from '../../../platform/passwords/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { Tickets } from '../factors/index.ts'
import { findFirstOrganisation } from '../members/index.ts'
import { createLink, findLink, takeLink } from '../one-time-links/index.ts'
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
import { findUser, findUserByEmail, LINKS, NOTICES, setPasswordHash, type User } from '../users/index.ts'
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
  attempts: Attempts
  log: Logger
}

/** Sets new passwords. All other sessions of the person end: somebody else may know the old password. */
export class Passwords {
  readonly #database: Database
  readonly #hasher: PasswordHasher
  readonly #mails: Mails
  readonly #tickets: Tickets
  readonly #attempts: Attempts
  readonly #log: Logger

  constructor({ database, passwords, mails, tickets, attempts, log }: Dependencies) {
    this.#database = database
    this.#hasher = passwords
    this.#mails = mails
    this.#tickets = tickets
    this.#attempts = attempts
    this.#log = log
  }

  /**
   * Mails a link to the person with this address, if there is one. In the background: neither the response nor its time
   * may tell whether there is. If the process ends before that, the person asks again.
   */
  requestReset(email: string, origin: Origin, nowMs: number): void {
    this.#mailLink(email, origin, nowMs).catch((error) =>
      this.#log.warn({ err: error }, 'a link for a new password could not be mailed'),
    )
  }

  async #mailLink(email: string, { address }: Origin, nowMs: number): Promise<void> {
    if (!(await this.#mails.admits(REQUESTS, addressBlock(address), nowMs))) return
    const user = await findUserByEmail(this.#database.read, email)
    if (user === undefined || user.deactivated_at !== null) return
    if (!(await this.#mails.admits(LINKS, user.id, nowMs))) return
    const now = timestamp(nowMs)
    await this.#database.write(async (tx) => {
      const token = await createLink(tx, 'reset_password', { userId: user.id }, now)
      await this.#mails.toPerson(tx, user, passwordMails.reset, { token }, now)
    })
  }

  /** The person whose password a link resets. Undefined if the link does not work any more. */
  async findPerson(token: string, now: Timestamp): Promise<User | undefined> {
    const link = await findLink(this.#database.read, 'reset_password', token, now)
    return link && findUser(this.#database.read, link.user_id as string)
  }

  /** Sets the password by a link and signs the person in, unless they have to take another step. */
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
      if ((await takeLink(tx, 'reset_password', token, now)) === undefined) return { kind: 'used' }
      await setPasswordHash(tx, user.id, hash, now)
      await endOtherSessions(tx, user.id, null)
      if (isNoticed) await this.#notice(tx, user, origin, now)
      const orgId = (await findFirstOrganisation(tx, user.id)) ?? null
      if (orgId !== null) await insertAuditEntries(tx, orgId, personActor(user, origin), [changed(user)], now)
      const next = await findNextStep(tx, this.#tickets, { ...user, password_hash: hash }, browser, nowMs)
      if (next !== undefined) return next
      return { kind: 'reset', ...(await startSession(tx, user.id, orgId, origin, now)), user }
    })
  }

  /** Changes the password of a person who is signed in and knows the old one. */
  async change(
    person: Pick<SignedIn, 'id' | 'user_id' | 'expires_at'>,
    passwords: { current: string; next: string },
    { origin, knownUserId }: { origin: Origin; knownUserId: string | undefined },
    nowMs: number,
  ): Promise<ChangeResult> {
    const client = addressBlock(origin.address)
    const user = await findUser(this.#database.read, person.user_id)
    if (user === undefined) return 'wrong_password'
    // A stolen session must not be a way to guess the password.
    const attempt = this.#attempts.password({ email: user.email, userId: user.id, knownUserId, origin }, nowMs)
    if (!('succeed' in attempt)) return attempt
    if (!(await this.#hasher.verify(passwords.current, user.password_hash, client))) return 'wrong_password'
    attempt.succeed()
    const problem = findPasswordProblem(passwords.next, user.email)
    if (problem !== undefined) return problem
    const hash = await this.#hasher.hash(passwords.next, client)
    const now = timestamp(nowMs)
    const isNoticed = await this.#mails.admits(NOTICES, user.id, nowMs)
    return this.#database.write(async (tx) => {
      await setPasswordHash(tx, user.id, hash, now)
      await endOtherSessions(tx, user.id, person.id)
      if (isNoticed) await this.#notice(tx, user, origin, now)
      const orgId = await findFirstOrganisation(tx, user.id)
      if (orgId !== undefined) await insertAuditEntries(tx, orgId, personActor(user, origin), [changed(user)], now)
      return renewSession(tx, person)
    })
  }

  #notice(tx: Tx, user: User, origin: Origin, now: Timestamp): Promise<void> {
    return this.#mails.toPerson(tx, user, passwordMails.changed, { ...origin, time: now }, now)
  }
}

const changed = ({ id }: User) => ({ action: 'user.password_changed', resource: { type: 'user', id }, changes: null })
