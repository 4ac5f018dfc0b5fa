import { type Timestamp, timestamp, toMs } from '../../../platform/clock/index.ts'
import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { hashToken, newId, type OrgId } from '../../../platform/ids/index.ts'
import { ABSOLUTE_MS, hasEnded } from './limits.ts'
import {
  deleteSession,
  deleteSessionsExcept,
  insertSession,
  type SessionRow,
  selectSession,
  selectSessionsOf,
  updateSession,
} from './queries.ts'
import { newToken } from './token.ts'

/** Where a person signs in from. */
export interface Origin {
  address: string
  /** The browser and the system, as people know them. */
  device: string
}

/** Limits what one person can store. Beyond this, the session that was not used for the longest time ends. */
const SESSIONS_MAX = 50

/** Signs a person in. Returns the token for their cookie, which is never available again: only its hash is stored. */
export async function startSession(
  tx: Tx,
  userId: string,
  orgId: OrgId | null,
  { address, device }: Origin,
  now: Timestamp,
): Promise<{ token: string; expiresAt: Timestamp }> {
  const nowMs = toMs(now)
  const existing = await selectSessionsOf(tx, userId)
  const [ended, live] = [
    existing.filter((row) => hasEnded(row, nowMs)),
    existing.filter((row) => !hasEnded(row, nowMs)),
  ]
  for (const { id } of [...ended, ...live.slice(SESSIONS_MAX - 1)]) await deleteSession(tx, userId, id)
  const token = newToken()
  const expiresAt = timestamp(nowMs + ABSOLUTE_MS)
  await insertSession(tx, {
    id: newId(),
    hash: hashToken(token),
    user_id: userId,
    org_id: orgId,
    address,
    device,
    authenticated_at: now,
    last_used_at: now,
    expires_at: expiresAt,
    created_at: now,
  })
  return { token, expiresAt }
}

/** A session whose token has changed. */
export interface RenewedSession {
  token: string
  expiresAt: Timestamp
}

/**
 * Gives a session a new token after its person has proved who they are, or has changed how they do that or what they may
 * do. The old token stops working: somebody else may know it. With `authenticatedAt`, the person has just proved who they are.
 * If the session has ended meanwhile, it throws, so that nothing of the transaction is done.
 */
export async function renewSession(
  tx: Tx,
  { user_id, id, expires_at }: Pick<SessionRow, 'user_id' | 'id' | 'expires_at'>,
  authenticatedAt?: Timestamp,
): Promise<RenewedSession> {
  const token = newToken()
  const authenticated = authenticatedAt === undefined ? {} : { authenticated_at: authenticatedAt }
  if (!(await updateSession(tx, user_id, id, { hash: hashToken(token), ...authenticated }))) throw signedOut()
  return { token, expiresAt: expires_at as Timestamp }
}

/**
 * Throws if the session has ended. For changes that must not outlast it: a process looks up a session at most twice a
 * second. The caller has locked the account, so that the session cannot end before the transaction does.
 */
export async function requireSession(tx: Tx, { user_id, id }: Pick<SessionRow, 'user_id' | 'id'>): Promise<void> {
  if (!(await hasSession(tx, user_id, id))) throw signedOut()
}

export const hasSession = async (db: Db, userId: string, id: string): Promise<boolean> =>
  (await selectSession(db, userId, id)) !== undefined

export const signedOut = (): ApiError => new ApiError('invalid_api_key', 'You are signed out. Sign in again.')

/** The sessions in which a person is signed in, the one used last first. */
export const listSessions = async (db: Db, userId: string, now: Timestamp): Promise<SessionRow[]> =>
  (await selectSessionsOf(db, userId)).filter((row) => !hasEnded(row, toMs(now)))

export const endSession = deleteSession

/** Signs a person out everywhere, except in one session. */
export const endOtherSessions = deleteSessionsExcept

/** Lets a session work in another organisation, where the person may have another role, with a new token. The caller has
 * checked that the person belongs to it.
 */
export async function switchOrganisation(
  tx: Tx,
  session: Pick<SessionRow, 'user_id' | 'id' | 'expires_at'>,
  orgId: OrgId,
): Promise<RenewedSession> {
  await updateSession(tx, session.user_id, session.id, { org_id: orgId })
  return renewSession(tx, session)
}
