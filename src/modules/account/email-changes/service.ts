import { type Actor, insertAuditEntries } from '../../../platform/audit/index.ts'
import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { addressBlock } from '../../../platform/http/server/address-block.ts'
import type { PasswordHasher } from '../../../platform/passwords/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { findFirstOrganisation } from '../members/index.ts'
import { createLink, dropLinks, findLink, takeLink } from '../one-time-links/index.ts'
import { endOtherSessions, type Origin, personActor } from '../sessions/index.ts'
import type { Attempts } from '../sign-in/index.ts'
import { findUser, foldEmail, isEmail, LINKS, setEmail, type User } from '../users/index.ts'
import { emailMails } from './mails.ts'

export type RequestResult = 'sent' | 'invalid_email' | 'wrong_password' | 'too_many'

/** `used` also if the link has expired; `taken` if the address belongs to somebody else by now. */
export type EmailConfirmResult = 'changed' | 'used' | 'taken'

interface Dependencies {
  database: Database
  passwords: PasswordHasher
  mails: Mails
  attempts: Attempts
}

/** Changes email addresses. A link to the new address confirms it, and the old address gets a notice. */
export class EmailChanges {
  readonly #database: Database
  readonly #hasher: PasswordHasher
  readonly #mails: Mails
  readonly #attempts: Attempts

  constructor({ database, passwords, mails, attempts }: Dependencies) {
    this.#database = database
    this.#hasher = passwords
    this.#mails = mails
    this.#attempts = attempts
  }

  /**
   * Mails a link to the new address. It does not look whether the address has an account: only the person who can read
   * its mail learns that.
   */
  async request(
    userId: string,
    { email, password }: { email: string; password: string },
    origin: Origin,
    nowMs: number,
  ): Promise<RequestResult> {
    const address = email.trim()
    const user = await findUser(this.#database.read, userId)
    if (user === undefined || !isEmail(address) || foldEmail(address) === foldEmail(user.email)) return 'invalid_email'
    // A stolen session must not be a way to guess the password.
    const attempt = this.#attempts.password({ email: user.email, userId, knownUserId: undefined, origin }, nowMs)
    if (!('succeed' in attempt)) return 'too_many'
    if (!(await this.#hasher.verify(password, user.password_hash, addressBlock(origin.address)))) {
      return 'wrong_password'
    }
    attempt.succeed()
    if (!(await this.#mails.admits(LINKS, userId, nowMs))) return 'too_many'
    const now = timestamp(nowMs)
    await this.#database.write(async (tx) => {
      const token = await createLink(tx, 'change_email', { userId, email: address }, now)
      await this.#mails.toPerson(tx, { ...user, email: address }, emailMails.confirm, { token }, now)
    })
    return 'sent'
  }

  /** The address that a link confirms. Undefined if the link does not work any more. */
  async findAddress(token: string, now: Timestamp): Promise<string | undefined> {
    const link = await findLink(this.#database.read, 'change_email', token, now)
    return link?.email ?? undefined
  }

  /** All sessions of the person end, except this one. */
  async confirm(
    token: string,
    keptSessionId: string | null,
    origin: Origin,
    nowMs: number,
  ): Promise<EmailConfirmResult> {
    const now = timestamp(nowMs)
    try {
      return await this.#database.write(async (tx) => {
        const link = await takeLink(tx, 'change_email', token, now)
        const user = link && (await findUser(tx, link.user_id as string))
        if (user === undefined || user.deactivated_at !== null) return 'used'
        await changeEmail(tx, user, link?.email as string, personActor(user, origin), this.#mails, now)
        await endOtherSessions(tx, user.id, keptSessionId)
        return 'changed'
      })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'conflict') return 'taken'
      throw error
    }
  }
}

/** Sends a notice to the old address. Links that were sent to it stop working. Throws `conflict` if the new one is taken. */
export async function changeEmail(
  tx: Tx,
  user: User,
  email: string,
  actor: Actor,
  mails: Mails,
  now: Timestamp,
): Promise<void> {
  await setEmail(tx, user.id, email, now)
  await dropLinks(tx, user.id, 'reset_password')
  await dropLinks(tx, user.id, 'change_email')
  const orgId = await findFirstOrganisation(tx, user.id)
  const changed = {
    action: 'user.email_changed',
    resource: { type: 'user', id: user.id },
    changes: { email: { from: user.email, to: email } },
  }
  if (orgId !== undefined) await insertAuditEntries(tx, orgId, actor, [changed], now)
  await mails.toPerson(tx, user, emailMails.changed, { newEmail: email, time: now }, now)
}
