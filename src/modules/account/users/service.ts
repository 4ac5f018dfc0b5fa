import { z } from 'zod'
import type { Timestamp } from '../../../platform/clock/index.ts'
import { type Db, foldCase, type Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import { parsePayload } from '../../../platform/http/index.ts'
import { newId } from '../../../platform/ids/index.ts'
import { Email, PersonName } from './contract.ts'
import { insertUser, selectUser, selectUserByEmail, type UserRow, updateLanguage, updateUser } from './queries.ts'

export type User = UserRow

const Names = z.strictObject({ first_name: PersonName.nullable(), last_name: PersonName.nullable() })
const UserCreate = Names.extend({ email: Email })

/** Two addresses that differ only in case belong to the same person. */
export const foldEmail = (email: string): string => foldCase(email.trim())

export const findUser = selectUser

export const findUserByEmail = (db: Db, email: string): Promise<User | undefined> =>
  selectUserByEmail(db, foldEmail(email))

export function createUser(
  tx: Tx,
  input: {
    email: string
    first_name: string | null
    last_name: string | null
    passwordHash: string | null
    /** The language of the page on which the person signs up. */
    language?: string
  },
  now: Timestamp,
): Promise<User> {
  const { passwordHash, language = null, ...fields } = input
  const { email, first_name, last_name } = parsePayload(UserCreate, fields)
  return insertUser(tx, {
    id: newId(),
    email,
    email_folded: foldEmail(email),
    first_name,
    last_name,
    password_hash: passwordHash,
    deactivated_at: null,
    language,
    created_at: now,
    updated_at: now,
  })
}

export const setPasswordHash = async (tx: Tx, id: string, hash: string, now: Timestamp): Promise<void> => {
  await updateUser(tx, id, { password_hash: hash, updated_at: now })
}

/** Throws `conflict` if the address belongs to somebody else, and `invalid_payload` if it is none. */
export async function setEmail(tx: Tx, id: string, email: string, now: Timestamp): Promise<void> {
  const parsed = parsePayload(z.strictObject({ email: Email }), { email })
  await updateUser(tx, id, { email: parsed.email, email_folded: foldEmail(parsed.email), updated_at: now })
}

export const isEmail = (text: string): boolean => Email.safeParse(text).success

/** Remembers the language in which a person uses our pages, for mails to them. */
export const rememberLanguage = async (tx: Tx, user: User, language: string): Promise<void> => {
  if (user.language !== language) await updateLanguage(tx, user.id, language)
}

export const updateProfile = async (
  tx: Tx,
  id: string,
  names: { first_name: string | null; last_name: string | null },
  now: Timestamp,
): Promise<void> => {
  await updateUser(tx, id, { ...parsePayload(Names, names), updated_at: now })
}

/** Keeps a person from signing in, or lets them sign in again. */
export async function deactivateUser(tx: Tx, id: string, since: Timestamp | null, now: Timestamp): Promise<User> {
  const user = await updateUser(tx, id, { deactivated_at: since, updated_at: now })
  if (user === undefined) throw new ApiError('not_found', 'There is no such person.')
  return user
}
