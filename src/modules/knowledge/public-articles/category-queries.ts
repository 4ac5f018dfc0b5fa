import { sql } from 'kysely'
import { compiled, type Db, isSqlite } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Anchor, beyond, isListed, type PageDirection } from './queries.ts'

const COLUMNS = ['c.id', 'c.name', 'c.slug', 'c.description', 'c.icon', 'c.translations'] as const

const listed = (place: 'top' | 'within', direction: PageDirection) => {
  const [sign, order] = direction === 'after' ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
  return compiled((db: Db, orgId: OrgId, owner: string, key: string | number, id: string, limit: number) =>
    db
      .selectFrom('article_categories as c')
      .select(COLUMNS)
      .where('c.org_id', '=', orgId)
      .where(place === 'top' ? 'c.knowledge_base_id' : 'c.parent_id', '=', owner)
      .$if(place === 'top', (query) => query.where('c.parent_id', 'is', null))
      .where(beyond(sign, ['c.sort_order', 'c.id'], { key, id }))
      .orderBy('c.sort_order', order)
      .orderBy('c.id', order)
      .limit(limit),
  )
}

const LISTS = {
  top: { after: listed('top', 'after'), before: listed('top', 'before') },
  within: { after: listed('within', 'after'), before: listed('within', 'before') },
}

/** The top-level categories of a knowledge base, or the children of a category. */
export const selectCategories = (
  db: Db,
  orgId: OrgId,
  owner: { place: 'top' | 'within'; id: string },
  direction: PageDirection,
  { key, id }: Anchor,
  limit: number,
) => LISTS[owner.place][direction](db, orgId, owner.id, key, id, limit)

/** Counting stops here in each category, so that it takes the same time however many articles there are. */
export const COUNTED_MAX = 100
/** Categories of one list and everything below them that are counted. */
export const COUNTED_CATEGORIES_MAX = 1000

/**
 * One row for each of these categories and everything below them, with its own articles: the nearest levels first. Articles
 * are ordered like their index. Otherwise PostgreSQL may choose another index and skip over many drafts. For the same
 * reason it looks up the children of each category, instead of reading all categories.
 */
export async function countListed(
  db: Db,
  orgId: OrgId,
  ids: readonly string[],
): Promise<{ root: string; articles: number }[]> {
  const roots = isSqlite(db)
    ? sql`select value, value from json_each(${ids})`
    : sql`select value::uuid, value::uuid from jsonb_array_elements_text(${ids})`
  const children = isSqlite(db)
    ? sql`join article_categories as k on k.org_id = ${orgId} and k.parent_id = tree.id`
    : sql`cross join lateral (select k.id from article_categories as k
        where k.org_id = ${orgId} and k.parent_id = tree.id
        order by k.sort_order, k.id limit ${sql.lit(COUNTED_CATEGORIES_MAX)}) as k`
  const { rows } = await sql<{ root: string; articles: number }>`with recursive tree (root, id) as (
      ${roots} union all select tree.root, k.id from tree ${children}
    ), part as (select root, id from tree limit ${sql.lit(COUNTED_CATEGORIES_MAX)})
    select part.root, (select count(*) from (
      select 1 from articles as a where a.org_id = ${orgId} and a.category_id = part.id and ${isListed('a')}
      order by a.title_key, a.id limit ${sql.lit(COUNTED_MAX)}) as counted) as articles from part`.execute(db)
  return rows
}

const anchorBySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db
    .selectFrom('article_categories')
    .select(['sort_order as key', 'id'])
    .where('org_id', '=', orgId)
    .where('slug', '=', slug),
)

export const selectCategoryAnchor = async (db: Db, orgId: OrgId, slug: string): Promise<Anchor | undefined> =>
  (await anchorBySlug(db, orgId, slug))[0]

/** Reads the ancestors that the breadcrumb shows. Not all of them: a tree may be thousands of levels deep. */
const trail = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('article_categories as c')
    .leftJoin('article_categories as p1', 'p1.id', 'c.parent_id')
    .leftJoin('article_categories as p2', 'p2.id', 'p1.parent_id')
    .leftJoin('article_categories as p3', 'p3.id', 'p2.parent_id')
    .select(COLUMNS)
    .select(['p1.name as name_1', 'p2.name as name_2', 'p3.name as name_3'])
    .select(['p1.translations as translations_1', 'p2.translations as translations_2'])
    .select('p3.translations as translations_3')
    .select(['p1.slug as slug_1', 'p2.slug as slug_2', 'p3.slug as slug_3', 'p3.parent_id as beyond'])
    .where('c.org_id', '=', orgId)

const trailBySlug = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string, slug: string) =>
  trail(db, orgId).where('c.knowledge_base_id', '=', knowledgeBaseId).where('c.slug', '=', slug),
)
const trailById = compiled((db: Db, orgId: OrgId, id: string) => trail(db, orgId).where('c.id', '=', id))

export type TrailRow = Awaited<ReturnType<typeof trailById>>[number]

export const selectTrail = async (db: Db, orgId: OrgId, id: string): Promise<TrailRow | undefined> =>
  (await trailById(db, orgId, id))[0]

export const selectTrailBySlug = async (
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  slug: string,
): Promise<TrailRow | undefined> => (await trailBySlug(db, orgId, knowledgeBaseId, slug))[0]
