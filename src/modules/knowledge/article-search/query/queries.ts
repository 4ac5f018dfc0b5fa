import { sql } from 'kysely'
import type { Db, Row } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { tableOf } from './match-queries.ts'

export type Candidate = Omit<Row<'article_search_texts'>, 'org_id' | 'digest'>

export async function selectCandidates(db: Db, orgId: OrgId, ids: readonly number[]): Promise<Candidate[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Candidate>`select "found"."id", "found"."article_id", "found"."language",
      "found"."title_words", "found"."heading_words", "found"."prominent", "found"."length"
    from ${tableOf(db, ids)} as "wanted" cross join "article_search_texts" as "found"
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}`.execute(db)
  return rows
}

/** An organisation with texts in more languages must name one. */
const LANGUAGES_MAX = 24

/** Returns the languages in which the organisation has texts. Reads one entry of the index for each. */
export async function selectLanguages(db: Db, orgId: OrgId): Promise<string[]> {
  const { rows } = await sql<{ language: string }>`with recursive "wanted" ("language") as (
      select min("language") from "article_search_texts" where "org_id" = ${orgId}
      union all
      select (select min("language") from "article_search_texts"
        where "org_id" = ${orgId} and "language" > "wanted"."language")
      from "wanted" where "wanted"."language" is not null)
    select "language" from "wanted" where "language" is not null limit ${LANGUAGES_MAX}`.execute(db)
  return rows.map(({ language }) => language)
}

/** Counts the articles of a knowledge base or of the organisation, up to the limit. */
export async function countArticles(
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string | undefined,
  limit: number,
): Promise<number> {
  const within = knowledgeBaseId === undefined ? sql`` : sql`and "knowledge_base_id" = ${knowledgeBaseId}`
  const { rows } = await sql<{ total: number }>`select count(*) as "total" from (
    select 1 from "articles" where "org_id" = ${orgId} ${within} limit ${limit}) as "counted"`.execute(db)
  return rows[0]?.total ?? 0
}

export interface ShownText {
  id: number
  title: string
  /** The requested part of the text. */
  plain: string
  slug: string
  category_id: string | null
  visibility: string
  public_slug: string
  is_published: boolean
}

/** Reads titles and texts from the articles, not from the index, so that they are current. */
export async function selectShown(
  db: Db,
  orgId: OrgId,
  ids: readonly number[],
  from: number,
  length: number,
): Promise<ShownText[]> {
  const { rows } = await sql<ShownText>`
    select "found"."id", "texts"."title", substr("texts"."content_plain", ${from}, ${length}) as "plain",
      "articles"."slug", "articles"."category_id", "articles"."visibility", "bases"."public_slug", "bases"."is_published"
    from ${tableOf(db, ids)} as "wanted" cross join "article_search_texts" as "found"
    join "articles" on "articles"."id" = "found"."article_id"
    join "article_texts" as "texts" on "texts"."article_id" = "found"."article_id"
      and "texts"."language" = "found"."language"
    join "knowledge_bases" as "bases" on "bases"."id" = "articles"."knowledge_base_id"
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}`.execute(db)
  return rows
}

const REBUILT = 'articles are indexed again after a restore'

/** Not part of a backup. */
export const SEARCH_TABLES_LEFT_OUT = {
  article_passages: REBUILT,
  article_search_texts: REBUILT,
  article_search_word_lists: REBUILT,
  article_search_words: REBUILT,
  article_search_misspellings: REBUILT,
}
