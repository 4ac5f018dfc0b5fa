import { DAY_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import type { CleanUpAfterGrant } from '../connected-applications/index.ts'
import { endAccess } from '../end-access/index.ts'
import { removeFactorsSince } from '../factors/index.ts'
import { auditPerson } from '../members/index.ts'
import { countUndoLinks, createLink, findLink, takeLink, takeUndoLink } from '../one-time-links/index.ts'
import { endOtherSessions, type Origin, personActor, requireSession, type SignedIn } from '../sessions/index.ts'
import { foldEmail, isEmail, LINKS, lockUser, setPasswordHash } from '../users/index.ts'
import { emailMails } from './mails.ts'
import { changeEmail, emailChange, restoreEmail } from './store.ts'

export type RequestResult = 'sent' | 'invalid_email' | 'too_many'

/** `used` also if the link has expired; `taken` if the address belongs to somebody else by now. */
export type EmailConfirmResult = 'changed' | 'used' | 'taken'

/** `token` is that of a link to set a new password. */
export type UndoResult = { kind: 'undone'; resetToken: string } | { kind: 'used' } | { kind: 'taken' }

interface Dependencies {
  database: Database
  mails: Mails
  cleanUpAfterGrant: CleanUpAfterGrant
}

/** Beyond this, an address can be changed again when an earlier change cannot be undone any more. */
const UNDOABLE_MAX = 10
/** A thief may have added a factor before they changed the address. */
const SUSPECT_FACTORS_MS = 7 * DAY_MS

/** Changes email addresses. A link to the new address confirms it, and a link to the old address undoes the change. */
export class EmailChanges {
  readonly #database: Database
  readonly #mails: Mails
  readonly #cleanUp: CleanUpAfterGrant

  constructor({ database, mails, cleanUpAfterGrant }: Dependencies) {
    this.#database = database
    this.#mails = mails
    this.#cleanUp = cleanUpAfterGrant
  }

  /**
   * Mails a link to the new address. It does not look whether the address has an account: only the person who can read
   * its mail learns that. The person has just proved who they are.
   */
  async request(
    person: Pick<SignedIn, 'id' | 'user_id' | 'email'>,
    email: string,
    origin: Origin,
    nowMs: number,
  ): Promise<RequestResult> {
    const address = email.trim()
    if (!isEmail(address) || foldEmail(address) === foldEmail(person.email)) return 'invalid_email'
    const now = timestamp(nowMs)
    if ((await countUndoLinks(this.#database.read, person.user_id, now)) >= UNDOABLE_MAX) return 'too_many'
    if (!(await this.#mails.admits(LINKS, person.user_id, nowMs))) return 'too_many'
    return this.#database.write(async (tx) => {
      const user = await lockUser(tx, person.user_id)
      await requireSession(tx, person)
      if (user === undefined) return 'invalid_email'
      const token = await createLink(tx, 'change_email', { userId: user.id, email: address }, now)
      await this.#mails.toPerson(tx, { ...user, email: address }, emailMails.confirm, { token }, now)
      const requested = emailChange('user.email_change_requested', user, address)
      await auditPerson(tx, user.id, personActor(user, origin), [requested], now)
      return 'sent'
    })
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
    const found = await findLink(this.#database.read, 'change_email', token, now)
    if (found === undefined) return 'used'
    return unlessTaken('taken', () =>
      this.#database.write(async (tx) => {
        const user = await lockUser(tx, found.user_id as string)
        const link = await takeLink(tx, 'change_email', token, now)
        if (link === undefined || user === undefined || user.deactivated_at !== null) return 'used'
        await changeEmail(tx, user, link.email as string, personActor(user, origin), this.#mails, now)
        await endOtherSessions(tx, user.id, keptSessionId)
        return 'changed'
      }),
    )
  }

  /** The address that a link restores. Undefined if the link does not work any more. */
  async findUndone(token: string, now: Timestamp): Promise<string | undefined> {
    const link = await findLink(this.#database.read, 'undo_email_change', token, now)
    return link?.email ?? undefined
  }

  /**
   * Restores an address whose person has not changed it: somebody else knows the password. So nothing that could let that
   * person in is left: the password, sessions, links, connected applications, and factors that are new.
   */
  async undo(token: string, origin: Origin, nowMs: number): Promise<UndoResult> {
    const now = timestamp(nowMs)
    const found = await findLink(this.#database.read, 'undo_email_change', token, now)
    if (found === undefined) return { kind: 'used' }
    return unlessTaken<UndoResult>({ kind: 'taken' }, () =>
      this.#database.write(async (tx) => {
        const user = await lockUser(tx, found.user_id as string)
        if (user === undefined || user.deactivated_at !== null) return { kind: 'used' }
        const link = await takeUndoLink(tx, token, now)
        if (link === undefined) return { kind: 'used' }
        const email = link.email as string
        const actor = personActor({ ...user, email }, origin)
        await restoreEmail(tx, user, email, actor, this.#mails, now)
        await setPasswordHash(tx, user.id, null, now)
        const suspectSince = timestamp(toMs(link.created_at as Timestamp) - SUSPECT_FACTORS_MS)
        await removeFactorsSince(tx, user, suspectSince, actor, now)
        await endAccess(tx, user.id, actor, now, this.#cleanUp)
        return { kind: 'undone', resetToken: await createLink(tx, 'reset_password', { userId: user.id }, now) }
      }),
    )
  }
}

async function unlessTaken<T>(taken: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'conflict') return taken
    throw error
  }
}
