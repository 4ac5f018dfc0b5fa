import { DAY_MS, HOUR_MS, type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { hashToken, newId, type OrgId, randomBase62 } from '../../../platform/ids/index.ts'
import { deleteLink, deleteLinksOf, insertLink, type LinkRow, type Purpose, selectLink } from './queries.ts'

const TOKEN_LENGTH = 43

/** An operator may need some days to open the link of an organisation. Mails are read at once, or not at all. */
const VALID_MS: Record<Purpose, number> = { set_up: 7 * DAY_MS, reset_password: HOUR_MS, change_email: DAY_MS }

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
  // A new link replaces the one before it.
  if (userId !== undefined) await deleteLinksOf(tx, userId, purpose)
  const token = randomBase62(TOKEN_LENGTH)
  await insertLink(tx, {
    id: newId(),
    hash: hashToken(token),
    purpose,
    org_id: orgId ?? null,
    user_id: userId ?? null,
    email: email ?? null,
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

/** Call it when what the links were sent to does not belong to the person any more. */
export const dropLinks = deleteLinksOf

const ifValid = (link: LinkRow | undefined, purpose: Purpose, now: Timestamp): LinkRow | undefined =>
  link !== undefined && link.purpose === purpose && link.expires_at > now ? link : undefined
