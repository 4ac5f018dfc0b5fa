import { type Timestamp, timestamp } from '../clock/index.ts'
import { columnsOf, type Database, type Db, forUpdate, type Row, type Tx } from '../db/index.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { randomBytes } from '../ids/index.ts'
import { examineSecrets, explainMismatch, type SecretKeyState, type SecretKeys, unwrap, wrap } from './secret-key.ts'

/** Never deleted: the installation ID and older data depend on it. */
export const FIRST_GENERATION = 1

type Secret = Row<'keyring'>

/**
 * Creates the first secret if there is none. It is never encrypted with SECRET_KEY here: a start that fails must not bind the
 * database to a value that nobody has noted.
 */
export const ensureSecret = (database: Database, nowMs: number): Promise<unknown> =>
  database.write((tx) =>
    tx
      .insertInto('keyring')
      .values({ ...newSecret(FIRST_GENERATION, timestamp(nowMs)), wrapped: false })
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )

/**
 * Encrypts the stored secrets with SECRET_KEY, if it is set and they are `plain`. Returns the state before: of several instances
 * that start at once, only one finds `plain`. Throws if they are encrypted with another key.
 */
export function adoptSecretKey(database: Database, keys: SecretKeys): Promise<SecretKeyState> {
  return change(database, keys, async (tx, secrets, state) => {
    if (keys.secretKey !== undefined && state === 'plain') {
      for (const secret of secrets.filter(({ wrapped }) => !wrapped)) await rewrap(tx, secret, keys)
    }
    return state
  })
}

/**
 * Adds a generation, and encrypts the older ones with SECRET_KEY instead of SECRET_KEY_OLD. Until all instances know both keys, those with
 * only the former one cannot read the new generation.
 */
export function rotateSecrets(
  database: Database,
  keys: SecretKeys,
  nowMs: number,
): Promise<{ generation: number; isReplaced: boolean }> {
  return change(database, keys, async (tx, secrets, state) => {
    if (state === 'plain' && keys.secretKey !== undefined) {
      throw new OperatorError(
        'SECRET_KEY is set, but not in use yet. Start the service with it, or run `npx waymark secret set`, before you rotate.',
      )
    }
    const generation = Math.max(0, ...secrets.map((secret) => secret.generation)) + 1
    const { secretKey } = keys
    const added = newSecret(generation, timestamp(nowMs))
    const stored = secretKey === undefined ? added : { ...added, secret: wrap(added.secret, secretKey) }
    await tx
      .insertInto('keyring')
      .values({ ...stored, wrapped: secretKey !== undefined })
      .execute()
    if (state === 'former') for (const secret of secrets) await rewrap(tx, secret, keys)
    return { generation, isReplaced: state === 'former' }
  })
}

/** Stores the secrets without encryption. Returns false if they are already. */
export function removeSecretKey(database: Database, keys: SecretKeys): Promise<boolean> {
  return change(database, keys, async (tx, secrets) => {
    const encrypted = secrets.filter(({ wrapped }) => wrapped)
    for (const secret of encrypted) await update(tx, secret.generation, unwrap(secret, keys), false)
    return encrypted.length > 0
  })
}

/** Runs one transaction at a time, on all instances: either all secrets are changed or none is. */
function change<T>(
  database: Database,
  keys: SecretKeys,
  work: (tx: Tx, secrets: Secret[], state: SecretKeyState) => Promise<T>,
): Promise<T> {
  return database.write(async (tx) => {
    // The lock comes first: a statement does not see what was added while it waited for one.
    await tx
      .selectFrom('keyring')
      .select('generation')
      .where('generation', '=', FIRST_GENERATION)
      .modifyEnd(forUpdate(tx))
      .execute()
    const secrets = await selectSecrets(tx)
    const state = examineSecrets(secrets, keys)
    if (state === 'missing' || state === 'wrong') throw explainMismatch(keys)
    return work(tx, secrets, state)
  })
}

export const selectSecrets = (db: Db): Promise<Secret[]> =>
  db.selectFrom('keyring').select(columnsOf('keyring')).execute()

const rewrap = (tx: Tx, secret: Secret, keys: SecretKeys): Promise<void> =>
  update(tx, secret.generation, wrap(unwrap(secret, keys), keys.secretKey as string), true)

async function update(tx: Tx, generation: number, secret: string, wrapped: boolean): Promise<void> {
  await tx.updateTable('keyring').set({ secret, wrapped }).where('generation', '=', generation).execute()
}

const newSecret = (generation: number, created_at: Timestamp): Omit<Secret, 'wrapped'> => ({
  generation,
  secret: randomBytes(32).toString('base64'),
  created_at,
})
