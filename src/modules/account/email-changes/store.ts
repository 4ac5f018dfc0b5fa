import type { Actor, AuditedChange } from '../../../platform/audit/index.ts'
import type { Timestamp } from '../../../platform/clock/index.ts'
import type { Tx } from '../../../platform/db/index.ts'
import type { Mails } from '../../mail/mails/index.ts'
import { auditPerson } from '../members/index.ts'
import { createLink, dropLinks, dropUndoLinks } from '../one-time-links/index.ts'
import { setEmail, type User } from '../users/index.ts'
import { emailMails } from './mails.ts'

/**
 * Changes an address that its person has confirmed. The old address can undo that, if it gets mail. Links that were sent to
 * it stop working. Throws `conflict` if the new one is taken.
 */
export async function changeEmail(
  tx: Tx,
  user: User,
  email: string,
  actor: Actor,
  mails: Mails,
  now: Timestamp,
): Promise<void> {
  await store(tx, user, email, 'user.email_changed', actor, now)
  if (!mails.canSend) return
  const token = await createLink(tx, 'undo_email_change', { userId: user.id, email: user.email }, now)
  await mails.toPerson(tx, user, emailMails.changed, { token, newEmail: email, time: now }, now)
}

/** An operator decides about the address. The one before, which may be a thief's, cannot undo that. */
export async function replaceEmail(
  tx: Tx,
  user: User,
  email: string,
  actor: Actor,
  mails: Mails,
  now: Timestamp,
): Promise<void> {
  await dropUndoLinks(tx, user.id)
  await store(tx, user, email, 'user.email_changed', actor, now)
  await mails.toPerson(tx, user, emailMails.replaced, { newEmail: email, time: now }, now)
}

/** The one before gets a notice, but no link: the earliest address has the last word. */
export async function restoreEmail(
  tx: Tx,
  user: User,
  email: string,
  actor: Actor,
  mails: Mails,
  now: Timestamp,
): Promise<void> {
  await store(tx, user, email, 'user.email_change_undone', actor, now)
  if (user.email !== email) await mails.toPerson(tx, user, emailMails.replaced, { newEmail: email, time: now }, now)
}

async function store(tx: Tx, user: User, email: string, action: string, actor: Actor, now: Timestamp): Promise<void> {
  await setEmail(tx, user.id, email, now)
  await dropLinks(tx, user.id)
  await auditPerson(tx, user.id, actor, [emailChange(action, user, email)], now)
}

export const emailChange = (action: string, { id, email: from }: User, to: string): AuditedChange => ({
  action,
  resource: { type: 'user', id },
  changes: { email: { from, to } },
})
