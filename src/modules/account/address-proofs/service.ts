import { type Timestamp, timestamp } from '../../../platform/clock/index.ts'
import type { Database, Tx } from '../../../platform/db/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { auditPerson } from '../members/index.ts'
import { createLink, findLink, takeLink } from '../one-time-links/index.ts'
import { type Origin, personActor } from '../sessions/index.ts'
import { confirmAddress, LINKS, lockUser, type User } from '../users/index.ts'
import { addressMails } from './mails.ts'

/**
 * Lets people prove that they can read the mail of their address. An invitation whose link was shown to the inviter proves
 * nothing: the inviter could have used it. As long as no mail can be sent, nobody is asked.
 */
export class AddressProofs {
  readonly #database: Database
  readonly #mails: Mails

  constructor(database: Database, mails: Mails) {
    this.#database = database
    this.#mails = mails
  }

  /** Whether the person has to confirm their address before they can sign in. */
  isNeeded({ email_confirmed_at }: Pick<User, 'email_confirmed_at'>): boolean {
    return this.#mails.canSend && email_confirmed_at === null
  }

  /** Mails a link, unless the person has had enough of them. */
  async request(user: User, nowMs: number): Promise<void> {
    if (!(await this.#mails.admits(LINKS, user.id, nowMs))) return
    await this.#database.write((tx) => this.mailLink(tx, user, timestamp(nowMs)))
  }

  async mailLink(tx: Tx, user: User, now: Timestamp): Promise<void> {
    const token = await createLink(tx, 'confirm_email', { userId: user.id, email: user.email }, now)
    await this.#mails.toPerson(tx, user, addressMails.confirm, { token }, now)
  }

  /** The address that a link confirms. Undefined if the link does not work any more. */
  async findAddress(token: string, now: Timestamp): Promise<string | undefined> {
    return (await findLink(this.#database.read, 'confirm_email', token, now))?.email ?? undefined
  }

  /** Returns false if the link does not work any more. */
  async confirm(token: string, origin: Origin, now: Timestamp): Promise<boolean> {
    return this.#database.write(async (tx) => {
      const link = await takeLink(tx, 'confirm_email', token, now)
      const user = link && (await lockUser(tx, link.user_id as string))
      if (user === undefined || user.email !== link?.email) return false
      await confirmAddress(tx, user, now)
      const confirmed = { action: 'user.email_confirmed', resource: { type: 'user', id: user.id }, changes: null }
      await auditPerson(tx, user.id, personActor(user, origin), [confirmed], now)
      return true
    })
  }
}
