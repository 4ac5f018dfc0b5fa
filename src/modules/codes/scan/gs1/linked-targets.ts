import type { Db } from '../../../../platform/db/index.ts'
import { selectProductLinks } from '../../product-links/index.ts'
import { loadTargets, type Target } from '../../scan-targets/index.ts'
import { type OfferedLink, toOfferedLink } from './offered-links.ts'

/** A target with its links. Only products have some. */
export interface LinkedTarget extends Target {
  links: readonly OfferedLink[]
}

const PRODUCT = 'product:'
const NONE: readonly OfferedLink[] = []

/** A change of the links is announced as a change of the product, so both are cached as one. */
export async function loadLinkedTargets(db: Db, keys: readonly string[]): Promise<Map<string, LinkedTarget>> {
  const targets = await loadTargets(db, keys)
  const linked = targets.map(async (target): Promise<[string, LinkedTarget]> => {
    const { key, orgId, id, setup } = target
    const hasLinks = setup !== null && key.startsWith(PRODUCT)
    const links = hasLinks ? (await selectProductLinks(db, orgId, id)).map(toOfferedLink) : NONE
    return [key, { ...target, links }]
  })
  return new Map(await Promise.all(linked))
}
