import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Anchor, beyond, isListed, isPublic, type PageDirection } from './queries.ts'

/** Articles for lists, with the title in this language if it is translated, and the title in their own. */
const listed = (db: Db, orgId: OrgId, language: string) =>
  db
    .selectFrom('articles as a')
    .innerJoin('article_texts as own', (join) =>
      join.onRef('own.article_id', '=', 'a.id').onRef('own.language', '=', 'a.language'),
    )
    .leftJoin('article_texts as wanted', (join) =>
      join.onRef('wanted.article_id', '=', 'a.id').on('wanted.language', '=', language),
    )
    .select(['a.id', 'a.slug', 'a.updated_at', 'own.title', 'own.language'])
    .select(['wanted.title as wanted_title', 'wanted.language as wanted_language'])
    .where('a.org_id', '=', orgId)
    .where(isListed('a'))

export type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

const byTitle = (direction: PageDirection) => {
  const [sign, order] = direction === 'after' ? (['>', 'asc'] as const) : (['<', 'desc'] as const)
  return compiled(
    (db: Db, orgId: OrgId, language: string, category: string, key: string | number, id: string, limit: number) =>
      listed(db, orgId, language)
        .where('a.category_id', '=', category)
        .where(beyond(sign, ['a.title_key', 'a.id'], { key, id }))
        .orderBy('a.title_key', order)
        .orderBy('a.id', order)
        .limit(limit),
  )
}

/** Sorted latest first, so "after" means older. */
const byUpdate = (direction: PageDirection) => {
  const [sign, order] = direction === 'after' ? (['<', 'desc'] as const) : (['>', 'asc'] as const)
  return compiled(
    (db: Db, orgId: OrgId, language: string, knowledgeBase: string, key: string | number, id: string, limit: number) =>
      listed(db, orgId, language)
        .where('a.knowledge_base_id', '=', knowledgeBase)
        .where(beyond(sign, ['a.updated_at', 'a.id'], { key, id }))
        .orderBy('a.updated_at', order)
        .orderBy('a.id', order)
        .limit(limit),
  )
}

const LISTS = {
  title: { after: byTitle('after'), before: byTitle('before') },
  updated: { after: byUpdate('after'), before: byUpdate('before') },
}

/** The articles of a category sorted by title, or those of a knowledge base sorted by last update. */
export const selectListed = (
  db: Db,
  orgId: OrgId,
  language: string,
  list: { order: keyof typeof LISTS; ownerId: string },
  direction: PageDirection,
  { key, id }: Anchor,
  limit: number,
): Promise<ListedRow[]> => LISTS[list.order][direction](db, orgId, language, list.ownerId, key, id, limit)

export const selectUncategorised = compiled(
  (db: Db, orgId: OrgId, language: string, knowledgeBaseId: string, limit: number) =>
    listed(db, orgId, language)
      .where('a.knowledge_base_id', '=', knowledgeBaseId)
      .where('a.category_id', 'is', null)
      .orderBy('a.title_key')
      .orderBy('a.id')
      .limit(limit),
)

const anchorBySlug = compiled((db: Db, orgId: OrgId, slug: string) =>
  db
    .selectFrom('articles')
    .select(['id', 'title_key', 'updated_at'])
    .where('org_id', '=', orgId)
    .where('slug', '=', slug),
)

export const selectAnchor = async (
  db: Db,
  orgId: OrgId,
  order: keyof typeof LISTS,
  slug: string,
): Promise<Anchor | undefined> => {
  const [row] = await anchorBySlug(db, orgId, slug)
  return row && { key: order === 'title' ? row.title_key : row.updated_at, id: row.id }
}

/** Rows are in no particular order. Omits articles that are not listed or in another knowledge base. */
export const selectSlugs = (
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  ids: readonly string[],
): Promise<{ id: string; slug: string }[]> =>
  db
    .selectFrom('articles as a')
    .select(['a.id', 'a.slug'])
    .where('a.org_id', '=', orgId)
    .where('a.knowledge_base_id', '=', knowledgeBaseId)
    .where('a.id', 'in', ids)
    .where(isListed('a'))
    .execute()

const HEAD = ['a.id', 'a.slug', 'a.category_id', 'a.language'] as const

/** One statement for both, because most addresses at which there is nothing are guesses. With `or`, no index is used. */
const bySlug = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string, slug: string) =>
  db
    .selectFrom('articles as a')
    .select(HEAD)
    .where('a.org_id', '=', orgId)
    .where('a.slug', '=', slug)
    .where('a.knowledge_base_id', '=', knowledgeBaseId)
    .where(isPublic('a'))
    .unionAll(
      db
        .selectFrom('article_old_slugs as old')
        .innerJoin('articles as a', 'a.id', 'old.article_id')
        .select(HEAD)
        .where('old.org_id', '=', orgId)
        .where('old.slug', '=', slug)
        .where('a.knowledge_base_id', '=', knowledgeBaseId)
        .where(isPublic('a')),
    ),
)

/** The article that has this slug or had it earlier. */
export const selectArticle = async (db: Db, orgId: OrgId, knowledgeBaseId: string, slug: string) =>
  (await bySlug(db, orgId, knowledgeBaseId, slug))[0]

const targets = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('articles as a')
    .innerJoin('knowledge_bases as k', 'k.id', 'a.knowledge_base_id')
    .select(['a.slug', 'k.id as knowledge_base_id', 'k.public_slug'])
    .where('a.org_id', '=', orgId)
    .where('k.is_published', '=', true)
    .where(isPublic('a'))

/** Public articles with these slugs in any published knowledge base, now or earlier. */
export const selectTargets = async (db: Db, orgId: OrgId, slugs: readonly string[]) => {
  const current = await targets(db, orgId).select('a.slug as wanted').where('a.slug', 'in', slugs).execute()
  const found = new Set(current.map(({ wanted }) => wanted))
  const missing = slugs.filter((slug) => !found.has(slug))
  if (missing.length === 0) return current
  const earlier = await targets(db, orgId)
    .innerJoin('article_old_slugs as old', 'old.article_id', 'a.id')
    .select('old.slug as wanted')
    .where('old.org_id', '=', orgId)
    .where('old.slug', 'in', missing)
    .execute()
  return [...current, ...earlier]
}

const slugById = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string, articleId: string) =>
  db
    .selectFrom('articles as a')
    .select('a.slug')
    .where('a.org_id', '=', orgId)
    .where('a.id', '=', articleId)
    .where('a.knowledge_base_id', '=', knowledgeBaseId)
    .where(isPublic('a')),
)

export const selectSlug = async (db: Db, orgId: OrgId, knowledgeBaseId: string, articleId: string) =>
  (await slugById(db, orgId, knowledgeBaseId, articleId))[0]

/** All texts of an article, without their contents, which may be long. */
export const selectTexts = compiled((db: Db, orgId: OrgId, articleId: string) =>
  db
    .selectFrom('article_texts')
    .select(['id', 'language', 'title', 'updated_at'])
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId),
)

const contentById = compiled((db: Db, orgId: OrgId, textId: string) =>
  db
    .selectFrom('article_texts')
    .select(['content', 'content_plain'])
    .where('org_id', '=', orgId)
    .where('id', '=', textId),
)

export const selectContent = async (db: Db, orgId: OrgId, textId: string) => (await contentById(db, orgId, textId))[0]

const oneRelation = compiled((db: Db, orgId: OrgId, articleId: string) =>
  db
    .selectFrom('article_relations')
    .select('related_article_id')
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .orderBy('sort_order')
    .limit(1),
)

export const hasRelated = async (db: Db, orgId: OrgId, articleId: string): Promise<boolean> =>
  (await oneRelation(db, orgId, articleId)).length > 0

export const selectRelated = compiled(
  (db: Db, orgId: OrgId, language: string, knowledgeBaseId: string, articleId: string, limit: number) =>
    listed(db, orgId, language)
      .innerJoin('article_relations as r', 'r.related_article_id', 'a.id')
      .where('r.article_id', '=', articleId)
      .where('a.knowledge_base_id', '=', knowledgeBaseId)
      .orderBy('r.sort_order')
      .orderBy('r.related_article_id')
      .limit(limit),
)
