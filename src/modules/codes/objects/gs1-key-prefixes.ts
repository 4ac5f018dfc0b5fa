import type { Db, Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { REST } from '../gs1/index.ts'
import { countGs1KeyPrefixes, selectGs1KeyPrefixes } from './queries.ts'

/** Every process keeps them in memory, and a scan of an unknown key looks at all of them. */
const PREFIXES_MAX = 1000

const isPrefix = (gs1Key: string | null): gs1Key is string => gs1Key?.endsWith(REST) === true

/** How the GS1 keys begin that stand for many; the longest first, because it is the one that counts. */
export async function listGs1KeyPrefixes(db: Db, orgId: OrgId): Promise<string[]> {
  const rows = await selectGs1KeyPrefixes(db, orgId)
  const prefixes = rows.map(({ gs1_key }) => gs1_key).filter(isPrefix)
  return prefixes.map((key) => key.slice(0, -REST.length)).sort((a, b) => b.length - a.length)
}

/** Call it with the new keys of objects before they are stored. */
export async function requirePrefixRoom(tx: Tx, orgId: OrgId, gs1Keys: readonly (string | null)[]): Promise<void> {
  const added = gs1Keys.filter(isPrefix)
  if (added.length === 0 || (await countGs1KeyPrefixes(tx, orgId)) + added.length <= PREFIXES_MAX) return
  throw new ApiError(
    'unprocessable',
    `An organisation can have at most ${PREFIXES_MAX} objects whose gs1_key ends with ${REST}. Use a shorter key that stands for several of them.`,
    { details: { field: 'gs1_key', value: added[0] } },
  )
}
