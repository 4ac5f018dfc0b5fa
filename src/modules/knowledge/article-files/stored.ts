import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectTagNames } from '../articles/index.ts'
import type { Language } from '../languages/index.ts'
import type { ArticleFacts } from './article-file.ts'
import { type ArticleFactsRow, selectArticlesBySlug, selectBase, selectRelatedOf } from './queries.ts'

/** An article as it is in the database, without its texts, in the words that its file has for it. */
export interface StoredArticle extends ArticleFacts {
  id: string
  slug: string
  knowledge_base_id: string
}

/** Enough for few round trips, and few enough for one statement. */
export const AT_ONCE = 200

/** The knowledge base that the files belong to. */
export interface Base {
  id: string
  language: Language
}

export async function requireBase(db: Db, orgId: OrgId, slug: string): Promise<Base> {
  const base = await selectBase(db, orgId, slug)
  if (base === undefined) throw new OperatorError(`There is no knowledge base with the slug "${slug}".`)
  return { id: base.id, language: base.default_language as Language }
}

/** Tags in alphabetical order, as lists of articles have them. */
export async function describeArticles(
  db: Db,
  orgId: OrgId,
  rows: readonly ArticleFactsRow[],
): Promise<StoredArticle[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const tags = Map.groupBy(await selectTagNames(db, orgId, ids), ({ article_id }) => article_id)
  const related = Map.groupBy(await selectRelatedOf(db, orgId, ids), ({ article_id }) => article_id)
  return rows.map((row) => ({
    ...row,
    tags: (tags.get(row.id) ?? []).map(({ name }) => name).sort(),
    related: (related.get(row.id) ?? []).map(({ slug }) => slug),
  }))
}

export async function findArticles(
  db: Db,
  orgId: OrgId,
  slugs: readonly string[],
): Promise<Map<string, StoredArticle>> {
  if (slugs.length === 0) return new Map()
  const found = await describeArticles(db, orgId, await selectArticlesBySlug(db, orgId, slugs))
  return new Map(found.map((article) => [article.slug, article]))
}

export function inChunks<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = []
  for (let from = 0; from < items.length; from += AT_ONCE) chunks.push(items.slice(from, from + AT_ONCE))
  return chunks
}
