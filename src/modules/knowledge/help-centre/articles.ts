import type { Db } from '../../../platform/db/index.ts'
import { isSlug } from './address.ts'
import {
  type ListedRow,
  selectAnchor,
  selectArticle,
  selectContent,
  selectListed,
  selectRelated,
  selectSlugs,
  selectTexts,
  selectUncategorised,
} from './article-queries.ts'
import type { Category } from './categories.ts'
import { NO_ID, type Page, type Position, readPage } from './paging.ts'
import type { Centre } from './service.ts'

/** An article in a list, in the reader's language where it has it, or else in its own. */
export interface ArticleItem {
  slug: string
  title: string
  language: string
  updatedAt: string
}

/** What an article says in one language. */
export interface ArticleText {
  id: string
  language: string
  title: string
  updatedAt: string
}

export interface Article {
  id: string
  slug: string
  categoryId: string | null
  /** In the reader's language, or else in its own. */
  text: ArticleText
  /** All that it can be read in, its own first. */
  languages: string[]
}

const toItem = ({ slug, updated_at, title, language, wanted_title, wanted_language }: ListedRow): ArticleItem => ({
  slug,
  title: wanted_title ?? title,
  language: wanted_language ?? language,
  updatedAt: updated_at,
})

const FIRST_TITLE = { key: '', id: NO_ID }
const LATEST = { key: '9999-12-31T23:59:59.999+00:00', id: NO_ID }

/** By title. */
export const listInCategory = (
  db: Db,
  { orgId }: Centre,
  { id }: Category,
  language: string,
  position: Position,
  size: number,
): Promise<Page<ArticleItem>> => listBy('title', FIRST_TITLE, db, orgId, id, language, position, size)

/** The latest first. */
export const listLatest = (
  db: Db,
  { orgId, id }: Centre,
  language: string,
  position: Position,
  size: number,
): Promise<Page<ArticleItem>> => listBy('updated', LATEST, db, orgId, id, language, position, size)

const listBy = (
  order: 'title' | 'updated',
  start: { key: string; id: string },
  db: Db,
  orgId: Centre['orgId'],
  of: string,
  language: string,
  position: Position,
  size: number,
): Promise<Page<ArticleItem>> =>
  readPage(
    position,
    size,
    {
      start,
      find: (slug) => selectAnchor(db, orgId, order, slug),
      rows: (direction, anchor, limit) => selectListed(db, orgId, language, { order, of }, direction, anchor, limit),
    },
    toItem,
  )

/** Those in no category, by title. */
export async function listUncategorised(
  db: Db,
  { orgId, id }: Centre,
  language: string,
  limit: number,
): Promise<ArticleItem[]> {
  return (await selectUncategorised(db, orgId, language, id, limit)).map(toItem)
}

export async function listRelated(
  db: Db,
  { orgId, id }: Centre,
  article: Article,
  language: string,
  limit: number,
): Promise<ArticleItem[]> {
  return (await selectRelated(db, orgId, language, id, article.id, limit)).map(toItem)
}

/** In the language that is chosen from those it has; in its own, if that is none of them. */
export async function findArticle(
  db: Db,
  { orgId, id }: Centre,
  slug: string,
  choose: (languages: readonly string[], own: string) => string,
): Promise<Article | undefined> {
  const row = isSlug(slug) ? await selectArticle(db, orgId, id, slug) : undefined
  if (row === undefined) return undefined
  const texts = await selectTexts(db, orgId, row.id)
  const own = texts.find((text) => text.language === row.language)
  if (own === undefined) return undefined
  const others = texts.map((text) => text.language).filter((other) => other !== own.language)
  const languages = [own.language, ...others.sort()]
  const wanted = choose(languages, own.language)
  const shown = texts.find((text) => text.language === wanted) ?? own
  return {
    id: row.id,
    slug: row.slug,
    categoryId: row.category_id,
    text: { id: shown.id, language: shown.language, title: shown.title, updatedAt: shown.updated_at },
    languages,
  }
}

/** Markdown, and the words alone. Undefined for a text that was deleted a moment ago. */
export const readContent = (db: Db, { orgId }: Centre, { id }: ArticleText) => selectContent(db, orgId, id)

/** By id, the slugs of those among these that visitors can read here. */
export async function findSlugs(db: Db, { orgId, id }: Centre, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await selectSlugs(db, orgId, id, ids)
  return new Map(rows.map((row) => [row.id, row.slug]))
}
