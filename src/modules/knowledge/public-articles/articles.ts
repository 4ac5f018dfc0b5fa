import type { Db } from '../../../platform/db/index.ts'
import { isSlug } from './address.ts'
import {
  hasRelated,
  type ListedRow,
  selectAnchor,
  selectArticle,
  selectContent,
  selectListed,
  selectRelated,
  selectSlug,
  selectSlugs,
  selectTargets,
  selectTexts,
  selectUncategorised,
} from './article-queries.ts'
import type { Category } from './categories.ts'
import { type ItemPage, NO_ID, readPage, type SlugPosition } from './paging.ts'
import type { Centre } from './service.ts'

/** An article in a list, in the reader's language if it is translated, otherwise in its own. */
export interface PublicArticleItem {
  slug: string
  title: string
  language: string
  updatedAt: string
}

/** The text of an article in one language. */
export interface ArticleText {
  id: string
  language: string
  title: string
  updatedAt: string
}

export interface PublicArticle {
  id: string
  slug: string
  categoryId: string | null
  texts: ArticleText[]
  /** The text in its own language. */
  own: ArticleText
  /** All available languages, its own first. */
  languages: string[]
}

const toItem = ({
  slug,
  updated_at,
  title,
  language,
  wanted_title,
  wanted_language,
}: ListedRow): PublicArticleItem => ({
  slug,
  title: wanted_title ?? title,
  language: wanted_language ?? language,
  updatedAt: updated_at,
})

const BEFORE_FIRST_TITLE = { key: '', id: NO_ID }
const AFTER_LATEST_UPDATE = { key: '9999-12-31T23:59:59.999+00:00', id: NO_ID }

/** Sorted by title. */
export const listInCategory = (
  db: Db,
  { orgId }: Centre,
  { id }: Category,
  language: string,
  position: SlugPosition,
  size: number,
): Promise<ItemPage<PublicArticleItem>> => listBy('title', BEFORE_FIRST_TITLE, db, orgId, id, language, position, size)

/** Sorted by last update, latest first. */
export const listLatest = (
  db: Db,
  { orgId, id }: Centre,
  language: string,
  position: SlugPosition,
  size: number,
): Promise<ItemPage<PublicArticleItem>> =>
  listBy('updated', AFTER_LATEST_UPDATE, db, orgId, id, language, position, size)

const listBy = (
  order: 'title' | 'updated',
  start: { key: string; id: string },
  db: Db,
  orgId: Centre['orgId'],
  ownerId: string,
  language: string,
  position: SlugPosition,
  size: number,
): Promise<ItemPage<PublicArticleItem>> =>
  readPage(
    position,
    size,
    {
      start,
      find: (slug) => selectAnchor(db, orgId, order, slug),
      rows: (direction, anchor, limit) =>
        selectListed(db, orgId, language, { order, ownerId }, direction, anchor, limit),
    },
    toItem,
  )

/** Articles without a category, sorted by title. */
export async function listUncategorised(
  db: Db,
  { orgId, id }: Centre,
  language: string,
  limit: number,
): Promise<PublicArticleItem[]> {
  return (await selectUncategorised(db, orgId, language, id, limit)).map(toItem)
}

export async function listRelated(
  db: Db,
  { orgId, id }: Centre,
  article: PublicArticle,
  language: string,
  limit: number,
): Promise<PublicArticleItem[]> {
  // Most articles have none. Without statistics, PostgreSQL would look for them among all articles of the knowledge base.
  if (!(await hasRelated(db, orgId, article.id))) return []
  return (await selectRelated(db, orgId, language, id, article.id, limit)).map(toItem)
}

/** Finds an article by a slug that it had earlier, too. It then has another slug than the one that was asked for. */
export async function findArticle(db: Db, { orgId, id }: Centre, slug: string): Promise<PublicArticle | undefined> {
  const row = isSlug(slug) ? await selectArticle(db, orgId, id, slug) : undefined
  if (row === undefined) return undefined
  const texts = (await selectTexts(db, orgId, row.id)).map(({ updated_at, ...text }) => ({
    ...text,
    updatedAt: updated_at,
  }))
  const own = texts.find((text) => text.language === row.language)
  if (own === undefined) return undefined
  const others = texts.map((text) => text.language).filter((other) => other !== own.language)
  const languages = [own.language, ...others.sort()]
  return { id: row.id, slug: row.slug, categoryId: row.category_id, texts, own, languages }
}

/** Where a link leads. */
export interface LinkTarget {
  slug: string
  /** Undefined in the knowledge base that contains the link. */
  publicSlug: string | undefined
}

/** Enough for a text that is a list of links. The links beyond are left as they are. */
const LINKS_MAX = 500

/** Finds the public articles that have or had these slugs, in this and other knowledge bases of the organisation. */
export async function findLinkTargets(
  db: Db,
  { orgId, id }: Centre,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, LinkTarget>> {
  const wanted = [...new Set(slugs)].slice(0, LINKS_MAX)
  const rows = wanted.length === 0 ? [] : await selectTargets(db, orgId, wanted)
  return new Map(
    rows.map(({ wanted, slug, knowledge_base_id, public_slug }) => [
      wanted,
      { slug, publicSlug: knowledge_base_id === id ? undefined : public_slug },
    ]),
  )
}

/** Returns the Markdown and the plain text. Undefined if the text was deleted since it was found. */
export const readContent = (db: Db, { orgId }: Centre, { id }: ArticleText) => selectContent(db, orgId, id)

/** Maps the IDs of those articles that are public in this knowledge base to their slugs. */
export async function findSlugs(db: Db, { orgId, id }: Centre, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await selectSlugs(db, orgId, id, ids)
  return new Map(rows.map((row) => [row.id, row.slug]))
}

/** The slug of an article that visitors may read in this knowledge base. */
export const findPublicSlug = (
  db: Db,
  { orgId, id }: Centre,
  articleId: string,
): Promise<{ slug: string } | undefined> => selectSlug(db, orgId, id, articleId)
