import type { Database } from '../../../platform/db/index.ts'
import { hashToken } from '../../../platform/ids/index.ts'
import { findUser, type User } from '../users/index.ts'
import type { Tickets } from './tickets.ts'

/** Lets a browser whose person knew the password go on to the second step of signing in. */
export const beginSecondStep = (
  tickets: Tickets,
  { id, password_hash }: Pick<User, 'id' | 'password_hash'>,
  browser: string,
  nowMs: number,
): string => tickets.issue('second_step', { userId: id, browser, data: fingerprint(password_hash) }, nowMs)

/** The person who may take the second step. Undefined if it took too long, or if their password has changed since. */
export async function findSecondStep(
  tickets: Tickets,
  { read }: Database,
  sealed: string,
  browser: string,
  nowMs: number,
): Promise<User | undefined> {
  const ticket = await tickets.read('second_step', sealed, browser, nowMs)
  const user = ticket && (await findUser(read, ticket.userId as string))
  return user !== undefined && user.deactivated_at === null && ticket?.data === fingerprint(user.password_hash)
    ? user
    : undefined
}

const fingerprint = (passwordHash: string | null): string => hashToken(passwordHash ?? '')
