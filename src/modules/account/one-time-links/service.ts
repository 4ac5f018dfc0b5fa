import { DAY_MS, HOUR_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import { type Db, foldCase, type Tx } from '../../../platform/db/index.ts'
import { hashToken, newId, type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import {
  deleteLink,
  deleteLinksOf,
  deleteLinksSince,
  insertLink,
  type LinkRow,
  type Purpose,
  selectLink,
  selectLinksOf,
  selectReservation,
} from './queries.ts'

const TOKEN_LENGTH = 43

/** An operator may need some days to open the link of an organisation. Mails are read at once, or not at all. */
const VALID_MS: Record<Purpose, number> = {
  set_up: 7 * DAY_MS,
  reset_password: HOUR_MS,
  change_email: DAY_MS,
  confirm_email: DAY_MS,
  undo_email_change: 7 * DAY_MS,
}

/** A thief can use these. A link that undoes a change is what the person has against the thief, so it is not among them. */
const ENDED: readonly Purpose[] = ['reset_password', 'change_email', 'confirm_email']

interface Subject {
  orgId?: OrgId
  userId?: string
  email?: string
}

/** Creates a link that works once. Returns its token, which is never available again: only its hash is stored. */
export async function createLink(
  tx: Tx,
  purpose: Purpose,
  { orgId, userId, email }: Subject,
  now: Timestamp,
): Promise<string> {
  const isUndo = purpose === 'undo_email_change'
  // A new link replaces the one before it. But somebody who changes an address twice must not get rid of the first link.
  if (userId !== undefined && !isUndo) await deleteLinksOf(tx, userId, [purpose])
  const token = randomBase62(TOKEN_LENGTH)
  await insertLink(tx, {
    id: newId(),
    hash: hashToken(token),
    purpose,
    org_id: orgId ?? null,
    user_id: userId ?? null,
    email: email ?? null,
    email_folded: isUndo && email !== undefined ? foldCase(email.trim()) : null,
    expires_at: timestamp(toMs(now) + VALID_MS[purpose]),
    created_at: now,
  })
  return token
}

/** Finds a link without using it up. */
export const findLink = async (db: Db, purpose: Purpose, token: string, now: Timestamp): Promise<LinkRow | undefined> =>
  ifValid(await selectLink(db, hashToken(token)), purpose, now)

/** Uses a link up. Undefined if it was used before, has expired or does not exist. */
export const takeLink = async (tx: Tx, purpose: Purpose, token: string, now: Timestamp): Promise<LinkRow | undefined> =>
  ifValid(await deleteLink(tx, hashToken(token)), purpose, now)

/** Call it when somebody else may have the links of a person, or their mail. */
export const dropLinks = (tx: Tx, userId: string): Promise<void> => deleteLinksOf(tx, userId, ENDED)

/** Call it when an operator has decided about the address of a person. */
export const dropUndoLinks = (tx: Tx, userId: string): Promise<void> => deleteLinksOf(tx, userId, ['undo_email_change'])

export const countUndoLinks = async (db: Db, userId: string, now: Timestamp): Promise<number> =>
  (await selectLinksOf(db, userId, 'undo_email_change', now)).length

/** Uses up a link that undoes a change of address, with all later ones: the earliest one wins. */
export async function takeUndoLink(tx: Tx, token: string, now: Timestamp): Promise<LinkRow | undefined> {
  const link = await takeLink(tx, 'undo_email_change', token, now)
  if (link !== undefined) await deleteLinksSince(tx, link.user_id as string, 'undo_email_change', link.created_at)
  return link
}

/** Whether somebody else can still take this address back. */
export const isReserved = async (db: Db, emailFolded: string, userId: string, now: Timestamp): Promise<boolean> =>
  (await selectReservation(db, emailFolded, userId, now)) !== undefined

const ifValid = (link: LinkRow | undefined, purpose: Purpose, now: Timestamp): LinkRow | undefined =>
  link !== undefined && link.purpose === purpose && link.expires_at > now ? link : undefined
