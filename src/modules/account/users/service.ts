import { z } from 'zod'
import type { Timestamp } from '../../../platform/clock/index.ts'
import { type Db, foldCase, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { type Changes, changesOf } from '../../../platform/outbox/index.ts'
import { isReserved } from '../one-time-links/index.ts'
import { Email, PersonName } from './contract.ts'
import {
  insertUser,
  lockUserRow,
  selectUser,
  selectUserByEmail,
  type UserRow,
  updateLanguage,
  updateUser,
} from './queries.ts'

export type User = UserRow

const Names = z.strictObject({ first_name: PersonName.nullable(), last_name: PersonName.nullable() })
const UserCreate = Names.extend({ email: Email })

/** Two addresses that differ only in case belong to the same person. */
export const foldEmail = (email: string): string => foldCase(email.trim())

export const findUser = selectUser

export const lockUser = lockUserRow

export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  selectUserByEmail(db, foldEmail(email))

export async function createUser(
  tx: Tx,
  input: {
    email: string
    first_name: string | null
    last_name: string | null
    passwordHash: string | null
    /** The language of the page on which the person signs up. */
    language?: string
    /** Whether the person can read the mail of this address, or an operator vouches for it. */
    isEmailConfirmed?: boolean
  },
  now: Timestamp,
): Promise<User> {
  const { passwordHash, language = null, isEmailConfirmed = false, ...fields } = input
  const { email, first_name, last_name } = parsePayload(UserCreate, fields)
  const user = await insertUser(tx, {
    id: newId(),
    email,
    email_folded: foldEmail(email),
    first_name,
    last_name,
    password_hash: passwordHash,
    deactivated_at: null,
    email_confirmed_at: isEmailConfirmed ? now : null,
    language,
    created_at: now,
    updated_at: now,
  })
  await requireUnreserved(tx, user, now)
  return user
}

/** Null lets nobody sign in with a password until there is a new one. */
export const setPasswordHash = async (tx: Tx, id: string, hash: string | null, now: Timestamp): Promise<void> => {
  await updateUser(tx, id, { password_hash: hash, updated_at: now })
}

/**
 * The person has proved that they can read the mail of the address, or an operator vouches for it. Throws `conflict` if it
 * belongs to somebody else, and `invalid_payload` if it is none.
 */
export async function setEmail(tx: Tx, id: string, email: string, now: Timestamp): Promise<void> {
  const parsed = parsePayload(z.strictObject({ email: Email }), { email })
  await updateUser(tx, id, {
    email: parsed.email,
    email_folded: foldEmail(parsed.email),
    email_confirmed_at: now,
    updated_at: now,
  })
  await requireUnreserved(tx, { id, email: parsed.email }, now)
}

export const confirmAddress = async (tx: Tx, { id, email_confirmed_at }: User, now: Timestamp): Promise<void> => {
  if (email_confirmed_at === null) await updateUser(tx, id, { email_confirmed_at: now, updated_at: now })
}

/**
 * Whether an account can still be entered by what the person has proved before. Compare in the transaction that lets them
 * in: their password may have been replaced, because somebody else knew it.
 */
export const isUnchanged = (before: User, current: User | undefined): boolean =>
  current !== undefined &&
  current.deactivated_at === null &&
  current.password_hash === before.password_hash &&
  current.email === before.email

/** Call it after the address was stored: the change that reserves it may have committed only then. */
async function requireUnreserved(tx: Tx, { id, email }: Pick<User, 'id' | 'email'>, now: Timestamp): Promise<void> {
  if (!(await isReserved(tx, foldEmail(email), id, now))) return
  throw new ApiError('conflict', 'Somebody gave up this address less than 7 days ago and can still take it back.', {
    details: { field: 'email', value: email },
  })
}

export const isEmail = (text: string): boolean => Email.safeParse(text).success

/** Remembers the language in which a person uses our pages, for mails to them. */
export const rememberLanguage = async (tx: Tx, user: User, language: string): Promise<void> => {
  if (user.language !== language) await updateLanguage(tx, user.id, language)
}

/** Returns what it has changed. Undefined if that is nothing. */
export async function updateProfile(
  tx: Tx,
  id: string,
  names: { first_name: string | null; last_name: string | null },
  now: Timestamp,
): Promise<Changes | undefined> {
  const parsed = parsePayload(Names, names)
  const before = await lockUserRow(tx, id)
  const changes = before && changesOf(before, parsed)
  if (changes !== undefined) await updateUser(tx, id, { ...parsed, updated_at: now })
  return changes
}

/** Keeps a person from signing in, or lets them sign in again. */
export async function deactivateUser(tx: Tx, id: string, since: Timestamp | null, now: Timestamp): Promise<User> {
  const user = await updateUser(tx, id, { deactivated_at: since, updated_at: now })
  if (user === undefined) throw new ApiError('not_found', 'There is no such person.')
  return user
}
