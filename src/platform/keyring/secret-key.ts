import { hash } from 'node:crypto'
import type { Row } from '../db/index.ts'
import { OperatorError } from '../errors/operator-error.ts'
import { openWith, sealWith } from './cipher.ts'

/** The settings SECRET_KEY and SECRET_KEY_OLD. */
export interface SecretKeys {
  secretKey?: string | undefined
  /** The former SECRET_KEY, while it is being replaced. */
  oldSecretKey?: string | undefined
}

/** A secret as it is stored: encrypted with SECRET_KEY (`wrapped`), or as it is. */
type StoredSecret = Pick<Row<'keyring'>, 'generation' | 'secret' | 'wrapped'>

/**
 * How the settings fit the stored secrets:
 * - `empty`: there are none yet.
 * - `plain`: some are not encrypted. If SECRET_KEY is set, it is not in use yet.
 * - `matches`: SECRET_KEY opens all of them.
 * - `former`: some are encrypted with SECRET_KEY_OLD.
 * - `missing`: some are encrypted, and no key is set.
 * - `wrong`: some are encrypted with another key.
 */
export type SecretKeyState = 'empty' | 'plain' | 'matches' | 'former' | 'missing' | 'wrong'

/** The state of all is the first of these that one of them is in. */
const ORDER: readonly SecretKeyState[] = ['missing', 'wrong', 'former', 'plain', 'matches']

export function examineSecrets(rows: readonly StoredSecret[], keys: SecretKeys): SecretKeyState {
  const states = new Set(rows.map((row) => stateOf(row, keys)))
  return ORDER.find((state) => states.has(state)) ?? 'empty'
}

function stateOf({ secret, wrapped }: StoredSecret, { secretKey, oldSecretKey }: SecretKeys): SecretKeyState {
  if (!wrapped) return 'plain'
  if (tryUnwrap(secret, secretKey) !== undefined) return 'matches'
  if (tryUnwrap(secret, oldSecretKey) !== undefined) return 'former'
  return secretKey === undefined ? 'missing' : 'wrong'
}

export const canOpen = (row: StoredSecret, keys: SecretKeys): boolean =>
  ['plain', 'matches', 'former'].includes(stateOf(row, keys))

/** Returns the secret in Base64. Throws an error that says what to set if the settings do not open it. */
export function unwrap({ secret, wrapped }: StoredSecret, keys: SecretKeys): string {
  const opened = wrapped ? (tryUnwrap(secret, keys.secretKey) ?? tryUnwrap(secret, keys.oldSecretKey)) : secret
  if (opened === undefined) throw explainMismatch(keys)
  return opened
}

export const wrap = (secret: string, secretKey: string): string => sealWith(wrappingKey(secretKey), secret)

export const explainMismatch = ({ secretKey }: SecretKeys): OperatorError =>
  new OperatorError(
    secretKey === undefined
      ? 'This database is used with a SECRET_KEY, and none is set. Set SECRET_KEY to the same value.'
      : 'SECRET_KEY is not the one that this database is used with. Set it to that value. To replace that value, set SECRET_KEY_OLD to it as well, and run `npx waymark secret rotate` once all instances have both.',
  )

const wrappingKey = (secretKey: string): Buffer => hash('sha256', secretKey, 'buffer')

function tryUnwrap(secret: string, secretKey: string | undefined): string | undefined {
  if (secretKey === undefined) return undefined
  try {
    return openWith(wrappingKey(secretKey), secret)
  } catch {
    return undefined
  }
}
