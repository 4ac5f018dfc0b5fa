import { columnsExcept, type Db, isSqlite, type Row, type Tx, unlessTaken } from '../../../platform/db/index.ts'

const COLUMNS = columnsExcept('users', 'email_folded')
export type UserRow = Row<'users', typeof COLUMNS>

export const selectUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(COLUMNS).where('id', '=', id).executeTakeFirst()

/** Lets changes of an account wait for each other until the transaction ends. Returns it as it is then. */
export const lockUserRow = (tx: Tx, id: string): Promise<UserRow | undefined> => {
  const user = tx.selectFrom('users').select(COLUMNS).where('id', '=', id)
  return (isSqlite(tx) ? user : user.forNoKeyUpdate()).executeTakeFirst()
}

export const selectUserByEmail = (db: Db, emailFolded: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').select(COLUMNS).where('email_folded', '=', emailFolded).executeTakeFirst()

export const insertUser = (tx: Tx, values: Row<'users'>): Promise<UserRow> =>
  unlessTaken(
    'users_email_key',
    'email',
    values.email,
    tx.insertInto('users').values(values).returning(COLUMNS).executeTakeFirstOrThrow(),
  )

export const updateUser = (
  tx: Tx,
  id: string,
  changes: Partial<Omit<Row<'users'>, 'id' | 'created_at'>> & { updated_at: string },
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
