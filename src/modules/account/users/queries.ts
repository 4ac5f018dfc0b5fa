import { type Db, type Tx, unlessTaken } from '../../../platform/db/index.ts'

/** People. A person can be a member of several organisations, so these rows belong to none. */
export interface UsersTable {
  id: string
  email: string
  /** Compared instead of `email`. */
  email_folded: string
  first_name: string | null
  last_name: string | null
  /** Null until the person has chosen a password. */
  password_hash: string | null
  /** A deactivated person cannot sign in. */
  deactivated_at: string | null
  /** The language in which the person last used our pages, for mails; null if they never have. */
  language: string | null
  created_at: string
  updated_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    users: UsersTable
  }
}

const COLUMNS = [
  'id',
  'email',
  'first_name',
  'last_name',
  'password_hash',
  'deactivated_at',
  'language',
  'created_at',
  'updated_at',
] as const
export type UserRow = Pick<UsersTable, (typeof COLUMNS)[number]>

export const selectUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(COLUMNS).where('id', '=', id).executeTakeFirst()

export const selectUserByEmail = (db: Db, emailFolded: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(COLUMNS).where('email_folded', '=', emailFolded).executeTakeFirst()

export const insertUser = (tx: Tx, values: UsersTable): Promise<UserRow> =>
  unlessTaken(
    'users_email_key',
    'email',
    values.email,
    tx.insertInto('users').values(values).returning(COLUMNS).executeTakeFirstOrThrow(),
  )

export const updateUser = (
  tx: Tx,
  id: string,
  changes: Partial<Omit<UsersTable, 'id' | 'created_at'>> & { updated_at: string },
): Promise<UserRow | undefined> =>
  unlessTaken(
    'users_email_key',
    'email',
    changes.email ?? '',
    tx.updateTable('users').set(changes).where('id', '=', id).returning(COLUMNS).executeTakeFirst(),
  )

export const updateLanguage = async (tx: Tx, id: string, language: string): Promise<void> => {
  await tx.updateTable('users').set({ language }).where('id', '=', id).execute()
}
