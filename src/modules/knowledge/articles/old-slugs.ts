import type { Tx } from '../../../platform/db/index.ts'
import { ApiError } from '../../../platform/errors/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { replaceOldSlug, selectOldSlugOwner } from './old-slug-queries.ts'

/**
 * Call it after the article was written. On PostgreSQL, a transaction that gives up the slug is then over: the unique
 * index of the articles has waited for it.
 */
export async function refuseOldSlugOfAnother(
  tx: Tx,
  orgId: OrgId,
  { id, slug }: { id: string; slug: string },
): Promise<void> {
  const owner = await selectOldSlugOwner(tx, orgId, slug)
  if (owner === undefined || owner === id) return
  throw new ApiError(
    'conflict',
    'Another article had this slug earlier, and links to it still work. Choose another one.',
    { details: { field: 'slug', value: slug, id: owner } },
  )
}

/** Remembers the slug that an article had until now. */
export async function keepOldSlug(
  tx: Tx,
  orgId: OrgId,
  { id, slug: old }: { id: string; slug: string },
  slug: string,
  now: string,
): Promise<void> {
  await refuseOldSlugOfAnother(tx, orgId, { id, slug })
  await replaceOldSlug(tx, orgId, { article_id: id, old, slug }, now)
}
