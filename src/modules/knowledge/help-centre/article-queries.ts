import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { type Anchor, beyond, type Direction, isPublic } from './queries.ts'

/** Public articles, with the title in this language if it is translated, and the title in their own. */
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
    .where(isPublic('a'))

export type ListedRow = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

const byTitle = (direction: Direction) => {
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
const byUpdate = (direction: Direction) => {
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
  direction: Direction,
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

/** In no particular order. Omits articles that are not public or in another knowledge base. */
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
    .where(isPublic('a'))
    .execute()

const bySlug = compiled((db: Db, orgId: OrgId, knowledgeBaseId: string, slug: string) =>
  db
    .selectFrom('articles as a')
    .select(['a.id', 'a.slug', 'a.category_id', 'a.language'])
    .where('a.org_id', '=', orgId)
    .where('a.slug', '=', slug)
    .where('a.knowledge_base_id', '=', knowledgeBaseId)
    .where(isPublic('a')),
)

export const selectArticle = async (db: Db, orgId: OrgId, knowledgeBaseId: string, slug: string) =>
  (await bySlug(db, orgId, knowledgeBaseId, slug))[0]

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
