import { compiled, type Db, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

const bySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db.selectFrom('article_old_slugs').select('article_id').where('org_id', '=', orgId).where('slug', '=', slug),
)

/** The ID of the article that had this slug earlier. */
export const selectOldSlugOwner = async (db: Db, orgId: OrgId, slug: string): Promise<string | undefined> =>
  (await bySlug(db, orgId, slug))[0]?.article_id

/** Remembers a slug. The article may also take an old slug of its own again. */
export async function replaceOldSlug(
  tx: Tx,
  orgId: OrgId,
  { article_id, old, slug }: { article_id: string; old: string; slug: string },
  now: string,
): Promise<void> {
  await tx.deleteFrom('article_old_slugs').where('org_id', '=', orgId).where('slug', '=', slug).execute()
  await tx.insertInto('article_old_slugs').values({ org_id: orgId, slug: old, article_id, created_at: now }).execute()
}
