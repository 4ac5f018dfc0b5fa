import { type Db, insertRows, isSqlite, type Tx, unlessTaken } from '../../../platform/db/index.ts'

/** The authenticator app of a person. */
interface TotpSecretsTable {
  user_id: string
  /** Sealed. */
  seed: string
  /** The time step of the code that was used last. Only later ones are accepted. */
  last_step: number
  created_at: string
}

/** Codes that were not used yet. */
interface RecoveryCodesTable {
  user_id: string
  hash: string
  created_at: string
}

export interface PasskeysTable {
  id: string
  user_id: string
  /** The authenticator's own name for it, base64url. */
  credential_id: string
  /** COSE, base64url. */
  public_key: string
  /** How often the authenticator says it was used. Always 0 for passkeys that are synchronised. */
  counter: number
  /** How browsers reach the authenticator: an array such as `["internal"]`. */
  transports: unknown
  name: string
  created_at: string
  last_used_at: string | null
}

/** Challenges that a passkey has signed. Each works once. */
interface UsedChallengesTable {
  hash: string
  expires_at: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    totp_secrets: TotpSecretsTable
    recovery_codes: RecoveryCodesTable
    passkeys: PasskeysTable
    used_challenges: UsedChallengesTable
  }
}

/** Changes to the factors of a person wait for each other. SQLite has a single writer anyway. */
export const lockFactorsOf = async (tx: Tx, userId: string): Promise<void> => {
  if (!isSqlite(tx)) await tx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

export const selectTotp = (db: Db, userId: string): Promise<TotpSecretsTable | undefined> =>
  db.selectFrom('totp_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const insertTotp = (tx: Tx, row: TotpSecretsTable): Promise<void> =>
  insertRows(tx, 'totp_secrets', ['user_id', 'seed', 'last_step', 'created_at'], [row])

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

export const insertRecoveryCodes = (tx: Tx, rows: readonly RecoveryCodesTable[]): Promise<void> =>
  insertRows(tx, 'recovery_codes', ['user_id', 'hash', 'created_at'], rows)

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
export const selectPasskeysOf = (db: Db, userId: string): Promise<PasskeysTable[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute()

/** Takes no person, because the passkey determines them. */
export const selectPasskey = (db: Db, credentialId: string): Promise<PasskeysTable | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

export const insertPasskey = async (tx: Tx, row: PasskeysTable): Promise<void> => {
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
