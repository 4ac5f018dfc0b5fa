import { columnsOf, type Db, insertRows, type Row, type Tx, unlessTaken } from '../../../platform/db/index.ts'

export const selectTotp = (db: Db, userId: string): Promise<Row<'totp_secrets'> | undefined> =>
  db.selectFrom('totp_secrets').select(columnsOf('totp_secrets')).where('user_id', '=', userId).executeTakeFirst()

export const insertTotp = (tx: Tx, row: Row<'totp_secrets'>): Promise<void> => insertRows(tx, 'totp_secrets', [row])

/** Returns whether the step is later than the last one. Of two transactions with the same step, one gets false. */
export const takeStep = async (tx: Tx, userId: string, seed: string, step: number): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('seed', '=', seed)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns whether there was one. */
export const deleteTotp = async (tx: Tx, userId: string): Promise<boolean> => {
  const { numDeletedRows } = await tx.deleteFrom('totp_secrets').where('user_id', '=', userId).executeTakeFirst()
  return numDeletedRows === 1n
}

export const countRecoveryCodes = async (db: Db, userId: string): Promise<number> => {
  const { codes } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('codes'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return codes
}

export const insertRecoveryCodes = (tx: Tx, rows: readonly Row<'recovery_codes'>[]): Promise<void> =>
  insertRows(tx, 'recovery_codes', rows)

/** If two transactions use the same code, one gets false. */
export const takeRecoveryCode = async (tx: Tx, userId: string, hash: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deleteRecoveryCodes = async (tx: Tx, userId: string): Promise<void> => {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** The oldest first. Their number is limited. */
export const selectPasskeysOf = (db: Db, userId: string): Promise<Row<'passkeys'>[]> =>
  db
    .selectFrom('passkeys')
    .select(columnsOf('passkeys'))
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Takes no person, because the passkey determines them. */
export const selectPasskey = (db: Db, credentialId: string): Promise<Row<'passkeys'> | undefined> =>
  db.selectFrom('passkeys').select(columnsOf('passkeys')).where('credential_id', '=', credentialId).executeTakeFirst()

export const insertPasskey = async (tx: Tx, row: Row<'passkeys'>): Promise<void> => {
  const inserted = tx.insertInto('passkeys').values(row).returning('id').executeTakeFirstOrThrow()
  await unlessTaken('passkeys_credential_key', 'passkey', row.name, inserted)
}

/** Returns whether the passkey still exists. */
export const updatePasskeyUse = async (tx: Tx, id: string, counter: number, usedAt: string): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ counter, last_used_at: usedAt })
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns whether there was one. */
export const deletePasskey = async (tx: Tx, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export const deletePasskeysOf = async (tx: Tx, userId: string): Promise<void> => {
  await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** If two transactions use the same challenge, one gets false. */
export const takeChallenge = async (tx: Tx, hash: string, expiresAt: string): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('used_challenges')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
