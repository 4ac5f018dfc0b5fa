import { createHash } from 'node:crypto'
import { insertMissingRows, type Tx } from '../../../platform/db/index.ts'
import { selectRetired } from './queries.ts'

/** Codes on the host of the service. The others are keys within an organisation, and go with it. */
const SHARED_KEY = /^qr_code:[^/]+$/

/** A slug may be a name, and the data of an erased organisation must go: only a hash of it stays. */
const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url')

/**
 * Call it when the rows of these keys are erased: without their rows, slugs could be chosen again, and what one organisation
 * has printed would lead to another.
 */
export const keepSlugsOf = async (tx: Tx, keys: readonly string[]): Promise<void> => {
  const shared = keys.filter((key) => SHARED_KEY.test(key))
  await insertMissingRows(
    tx,
    'retired_slugs',
    shared.map((key) => ({ id: hashOf(key) })),
  )
}

/** Returns those of the keys that an erased organisation had. */
export async function findRetired(tx: Tx, keys: readonly string[]): Promise<string[]> {
  const hashes = new Map(keys.filter((key) => SHARED_KEY.test(key)).map((key) => [hashOf(key), key]))
  if (hashes.size === 0) return []
  return (await selectRetired(tx, [...hashes.keys()])).map((hash) => hashes.get(hash) as string)
}
