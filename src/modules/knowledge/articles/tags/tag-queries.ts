import { type Db, insertRows, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

export interface AssignedTag {
  article_id: string
  id: string
  name: string
  created_at: string
}

const assigned = (db: Db, orgId: OrgId, articleIds: readonly string[]) =>
  db
    .selectFrom('article_tag_assignments')
    .innerJoin('article_tags', 'article_tags.id', 'article_tag_assignments.tag_id')
    .select(['article_id', 'article_tags.id', 'name', 'article_tags.created_at'])
    .where('article_tag_assignments.org_id', '=', orgId)
    .where('article_id', 'in', articleIds)

/** Sorted by name, in memory: an article has few tags. */
export const selectTagNames = async (
  db: Db,
  orgId: OrgId,
  articleIds: readonly string[],
): Promise<{ article_id: string; name: string }[]> => {
  if (articleIds.length === 0) return []
  const tags = await assigned(db, orgId, articleIds).execute()
  return tags.sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Newest tag first: IDs sort by creation time. */
export const selectAssignedTags = (db: Db, orgId: OrgId, articleId: string): Promise<AssignedTag[]> =>
  assigned(db, orgId, [articleId]).orderBy('tag_id', 'desc').execute()

export const replaceAssignments = async (
  tx: Tx,
  orgId: OrgId,
  articleId: string,
  tagIds: readonly string[],
): Promise<void> => {
  await tx
    .deleteFrom('article_tag_assignments')
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .execute()
  await insertRows(
    tx,
    'article_tag_assignments',
    tagIds.map((tag_id) => ({ org_id: orgId, article_id: articleId, tag_id })),
  )
}
