import type { Row, Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { addViews, insertViews, lockOrganisations } from './queries.ts'

export type StoredView = Row<'page_views'>

/**
 * Stores and counts each view once, even if it is passed again later. Nothing comes back to an organisation that is erased in the
 * meantime.
 */
export async function storeViews(tx: Tx, all: readonly StoredView[]): Promise<void> {
  const present = await lockOrganisations(tx, [...new Set(all.map(({ org_id }) => org_id as OrgId))])
  const views = all.filter(({ org_id }) => present.has(org_id))
  const added = new Set(await insertViews(tx, views))
  const byPage = Map.groupBy(
    views.filter(({ id }) => added.has(id)),
    ({ page_id }) => page_id,
  )
  // The order is the same everywhere, so that transactions never wait for each other in a circle.
  for (const pageId of [...byPage.keys()].sort()) {
    const ofPage = byPage.get(pageId) ?? []
    await addViews(tx, ofPage[0]?.org_id as OrgId, pageId, ofPage.length)
  }
}
