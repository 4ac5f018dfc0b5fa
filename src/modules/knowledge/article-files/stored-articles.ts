import type { ContentLanguage } from '../../../platform/contract/languages.ts'
import { batchesOf, type Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/errors/operator-error.ts'
import type { OrgId } from '../../../platform/ids/index.ts'
import { selectTagNames } from '../articles/index.ts'
import type { ArticleMetadata } from './format/article-file.ts'
import {
  type ArticleMetadataRow,
  selectArticlesByOldSlug,
  selectArticlesBySlug,
  selectBase,
  selectRelatedOf,
} from './queries.ts'

/** An article of the database without its texts, in the terms of its file. */
export interface StoredArticle extends ArticleMetadata {
  id: string
  slug: string
  knowledge_base_id: string
}

/** Large enough for few round trips, small enough for the parameters of one statement. */
export const CHUNK_SIZE = 200

/** The knowledge base of the files. */
export interface Base {
  id: string
  slug: string
  language: ContentLanguage
}

export async function requireBase(db: Db, orgId: OrgId, slug: string): Promise<Base> {
  const base = await selectBase(db, orgId, slug)
  if (base === undefined) throw new OperatorError(`There is no knowledge base with the slug "${slug}".`)
  return { id: base.id, slug, language: base.default_language as ContentLanguage }
}

/** Adds the tags, in alphabetical order, and the related articles. */
export async function toStoredArticles(
  db: Db,
  orgId: OrgId,
  rows: readonly ArticleMetadataRow[],
): Promise<StoredArticle[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const tags = Map.groupBy(await selectTagNames(db, orgId, ids), ({ article_id }) => article_id)
  const related = Map.groupBy(await selectRelatedOf(db, orgId, ids), ({ article_id }) => article_id)
  return rows.map((row) => ({
    ...row,
    tags: (tags.get(row.id) ?? []).map(({ name }) => name),
    related: (related.get(row.id) ?? []).map(({ slug }) => slug),
  }))
}

/** The keys are the slugs that were asked for: the slug of the article, or one that it had earlier. */
export async function findArticles(
  db: Db,
  orgId: OrgId,
  slugs: readonly string[],
): Promise<Map<string, StoredArticle>> {
  if (slugs.length === 0) return new Map()
  const rows = await selectArticlesBySlug(db, orgId, slugs)
  const current = new Set(rows.map(({ slug }) => slug))
  const missing = slugs.filter((slug) => !current.has(slug))
  const earlier = missing.length === 0 ? [] : await selectArticlesByOldSlug(db, orgId, missing)
  const found = await toStoredArticles(db, orgId, [...rows, ...earlier.map(({ old_slug: _, ...row }) => row)])
  return new Map(found.map((article, n) => [earlier[n - rows.length]?.old_slug ?? article.slug, article]))
}

export const inChunks = <Item>(items: readonly Item[]): Item[][] => batchesOf(items, CHUNK_SIZE)
