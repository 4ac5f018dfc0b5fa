import type { Db } from '../../../platform/db/index.ts'
import { countPublic, selectAddresses, selectEntries } from './feed-queries.ts'
import type { Centre } from './service.ts'

export interface ArticleAddress {
  slug: string
  texts: { language: string; updatedAt: string }[]
}

export interface FeedEntry {
  id: string
  slug: string
  language: string
  title: string
  summary: string
  updatedAt: string
  publishedAt: string | null
}

export const countArticles = (db: Db, { orgId, id }: Centre): Promise<number> => countPublic(db, orgId, id)

export async function listAddresses(
  db: Db,
  { orgId, id }: Centre,
  limit: number,
  offset: number,
): Promise<ArticleAddress[]> {
  const rows = await selectAddresses(db, orgId, id, limit, offset)
  const bySlug = Map.groupBy(rows, ({ slug }) => slug)
  return [...bySlug].map(([slug, texts]) => ({
    slug,
    texts: texts.map(({ language, updated_at }) => ({ language, updatedAt: updated_at })),
  }))
}

export async function listEntries(
  db: Db,
  { orgId, id }: Centre,
  language: string,
  limit: number,
): Promise<FeedEntry[]> {
  const rows = await selectEntries(db, orgId, language, id, limit)
  return rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    language: row.language,
    title: row.title,
    summary: row.summary,
    updatedAt: row.updated_at,
    publishedAt: row.published_at,
  }))
}
