import { SECOND_MS } from '../../platform/clock/index.ts'
import { adoptSecretKey } from '../../platform/keyring/index.ts'
import { resealStored } from '../../platform/keyring/reseal.ts'
import { SEALED_COLUMNS } from '../sealed-columns.ts'
import type { Ground } from './ground.ts'

/** After a rotation, a process signs with the previous key for at most this long. */
const INTERVAL_MS = 30 * SECOND_MS

type Needed = Pick<Ground, 'config' | 'keyring' | 'database' | 'clock' | 'log'>

/**
 * Encrypts the stored secrets with SECRET_KEY, if they are not yet. Called once the service serves: a start that fails must not
 * bind the database to a value that somebody is only trying out.
 */
export async function useSecretKey({ config, database, log }: Needed): Promise<void> {
  const found = await adoptSecretKey(database, config)
  if (found === 'plain' && config.secretKey !== undefined) {
    log.warn(
      'The stored secrets are now encrypted with SECRET_KEY. Keep a copy of it: without it, neither this database nor a backup of it can be used. `npx waymark secret remove` undoes it.',
    )
  }
  if (found === 'former') {
    log.warn(
      'The stored secrets are still encrypted with SECRET_KEY_OLD. Once all instances have both settings, run `npx waymark secret rotate`.',
    )
  }
}

/**
 * Follows what `waymark secret` does while this process runs. Workers also seal what instances have sealed with the previous
 * secret until they noticed the new one, and what a killed `secret rotate` has left. Returns the function that stops it.
 */
export function followSecrets(
  { keyring, database, clock, log }: Needed,
  isWorker: boolean,
  intervalMs = INTERVAL_MS,
): () => Promise<void> {
  let sealedWith = keyring.newest
  let problem: string | undefined
  const follow = async () => {
    const before = keyring.newest
    await keyring.reload(database.read, clock())
    if (keyring.problem !== problem) {
      problem = keyring.problem
      if (problem !== undefined) log.error(`${problem} This instance goes on with the secrets that it has read.`)
    }
    // An interval after this process noticed it, all others have.
    if (!isWorker || before !== keyring.newest || before === sealedWith) return
    await resealStored(database, keyring, SEALED_COLUMNS, clock())
    sealedWith = before
  }
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    // If the database is unavailable, the next interval tries again.
    running ??= follow()
      .catch(() => {})
      .finally(() => {
        running = undefined
      })
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
