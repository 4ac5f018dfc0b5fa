import { compiled, type Db } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Uses the slug in the organisation, not the public one. */
export const selectBase = (
  db: Db,
  orgId: OrgId,
  slug: string,
): Promise<{ id: string; default_language: string } | undefined> =>
  db
    .selectFrom('knowledge_bases')
    .select(['id', 'default_language'])
    .where('org_id', '=', orgId)
    .where('slug', '=', slug)
    .executeTakeFirst()

const articles = (db: Db, orgId: OrgId) =>
  db
    .selectFrom('articles')
    .leftJoin('article_categories', 'article_categories.id', 'articles.category_id')
    .select(['articles.id', 'articles.slug', 'articles.knowledge_base_id', 'status', 'visibility', 'language'])
    .select('article_categories.slug as category')
    .where('articles.org_id', '=', orgId)

export type ArticleMetadataRow = Awaited<ReturnType<ReturnType<typeof articles>['execute']>>[number]

export const selectArticlesBySlug = (db: Db, orgId: OrgId, slugs: readonly string[]): Promise<ArticleMetadataRow[]> =>
  articles(db, orgId).where('articles.slug', 'in', slugs).execute()

/** Articles that had one of these slugs earlier. `old_slug` is that slug. */
export const selectArticlesByOldSlug = (
  db: Db,
  orgId: OrgId,
  slugs: readonly string[],
): Promise<(ArticleMetadataRow & { old_slug: string })[]> =>
  articles(db, orgId)
    .innerJoin('article_old_slugs', 'article_old_slugs.article_id', 'articles.id')
    .select('article_old_slugs.slug as old_slug')
    .where('article_old_slugs.org_id', '=', orgId)
    .where('article_old_slugs.slug', 'in', slugs)
    .execute()

export const selectArticlesAfter = compiled(
  (db: Db, orgId: OrgId, knowledgeBaseId: string, after: string, limit: number) =>
    articles(db, orgId)
      .where('articles.knowledge_base_id', '=', knowledgeBaseId)
      .where('articles.slug', '>', after)
      .orderBy('articles.slug')
      .limit(limit),
)

export const countArticles = async (db: Db, orgId: OrgId, knowledgeBaseId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('articles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** All texts of an article, including the one in its own language. */
export const selectTexts = compiled((db: Db, orgId: OrgId, articleId: string) =>
  db
    .selectFrom('article_texts')
    .select(['language', 'title', 'content'])
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .orderBy('language'),
)

/** Rows are in display order. Related articles may be in another knowledge base. */
export const selectRelatedOf = (
  db: Db,
  orgId: OrgId,
  articleIds: readonly string[],
): Promise<{ article_id: string; slug: string }[]> =>
  db
    .selectFrom('article_relations')
    .innerJoin('articles', 'articles.id', 'article_relations.related_article_id')
    .select(['article_id', 'articles.slug'])
    .where('article_relations.org_id', '=', orgId)
    .where('article_id', 'in', articleIds)
    .orderBy('sort_order')
    .orderBy('related_article_id')
    .execute()

export const selectTagIds = async (
  db: Db,
  orgId: OrgId,
  foldedNames: readonly string[],
): Promise<{ id: string; name_folded: string }[]> => {
  if (foldedNames.length === 0) return []
  return db
    .selectFrom('article_tags')
    .select(['id', 'name_folded'])
    .where('org_id', '=', orgId)
    .where('name_folded', 'in', foldedNames)
    .execute()
}

/** Returns those of the slugs that belong to categories of other knowledge bases. */
export const selectCategorySlugsElsewhere = async (
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  slugs: readonly string[],
): Promise<string[]> => {
  const found = await db
    .selectFrom('article_categories')
    .select('slug')
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '!=', knowledgeBaseId)
    .where('slug', 'in', slugs)
    .execute()
  return found.map(({ slug }) => slug)
}
