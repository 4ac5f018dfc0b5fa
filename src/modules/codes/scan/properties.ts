import type { Db } from '../../../platform/db/index.ts'
import { selectProperties } from '../key-values/index.ts'
import { loadTargets } from '../scan-targets/index.ts'

/** The properties of targets, by their keys. */
export async function loadProperties(
  db: Db,
  keys: readonly string[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const targets = await loadTargets(db, keys)
  const loaded = targets.map(
    async ({ key, orgId, id }): Promise<[string, ReadonlyMap<string, string>]> => [
      key,
      new Map(await selectProperties(db, orgId, id)),
    ],
  )
  return new Map(await Promise.all(loaded))
}
