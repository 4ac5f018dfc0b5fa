import type { Db, Tables } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** The tables of everything that has a public address. */
type PublicTable = {
  [T in keyof Tables]: Tables[T] extends { id: string; org_id: string; public_slug: string } ? T : never
}[keyof Tables]

export const selectPublicSlugs = (
  db: Db,
  orgId: OrgId,
  table: PublicTable,
  ids: readonly string[],
): Promise<{ id: string; public_slug: string }[]> =>
  db.selectFrom(table).select(['id', 'public_slug']).where('org_id', '=', orgId).where('id', 'in', ids).execute()

export const selectPublicSlug = (
  db: Db,
  orgId: OrgId,
  table: PublicTable,
  id: string,
): Promise<{ public_slug: string } | undefined> =>
  db.selectFrom(table).select('public_slug').where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

export const selectKnowledgeBases = (
  db: Db,
  orgId: OrgId,
  articleIds: readonly string[],
): Promise<{ id: string; knowledge_base_id: string }[]> =>
  db
    .selectFrom('articles')
    .select(['id', 'knowledge_base_id'])
    .where('org_id', '=', orgId)
    .where('id', 'in', articleIds)
    .execute()
