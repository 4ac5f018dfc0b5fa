import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ArticleSearchTextsTable {
  id: number
  org_id: string
  article_id: string
  language: string
  title_words: string
  prominent: string
  length: number
  digest: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    article_search_texts: ArticleSearchTextsTable
  }
}

/**
 * One entry per language, of which any may match. An entry matches if each of its groups has at least one matching
 * term. Lists are intersected per language, because a text has one language and this takes a third of the time.
 */
export type Expression = readonly (readonly (readonly string[])[])[]

/** Needs no escaping: terms contain only letters and digits. */
const toMatch = (expression: Expression): string =>
  expression
    .map((all) => `(${all.map((any) => `(${any.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ')})`)
    .join(' OR ')

const toTsqueries = (expression: Expression): string[] =>
  expression.map((all) => all.map((any) => `(${any.map((term) => `'${term}'`).join(' | ')})`).join(' & '))

/**
 * Returns the index IDs of matching texts, in an order that is stable while nothing changes: newest first on SQLite,
 * oldest first on PostgreSQL.
 */
export async function selectMatches(db: Db, orgId: OrgId, expression: Expression, limit: number): Promise<number[]> {
  if (expression.length === 0) return []
  const query = isSqlite(db)
    ? sql<{ id: number }>`select "rowid" as "id" from "article_search_index"
        where "article_search_index" match ${toMatch(expression)} order by "rowid" desc limit ${limit}`
    : sql<{ id: number }>`select "id" from article_search_find(${orgId}, ${toTsqueries(expression)}, ${limit}) as "id"`
  return (await query.execute(db)).rows.map(({ id }) => id)
}

/** Counts matches up to the limit. */
export async function countMatches(db: Db, orgId: OrgId, expression: Expression, limit: number): Promise<number> {
  if (expression.length === 0) return 0
  const query = isSqlite(db)
    ? sql<{ total: number }>`select count(*) as "total" from (select 1 from "article_search_index"
        where "article_search_index" match ${toMatch(expression)} limit ${limit})`
    : sql<{ total: number }>`select article_search_count(${orgId}, ${toTsqueries(expression)}, ${limit}) as "total"`
  return (await query.execute(db)).rows[0]?.total ?? 0
}

/**
 * The IDs as a table to put first in a cross join: SQLite keeps the order of cross joins. PostgreSQL expects fewer rows of
 * an array than of a JSON function, and then looks them up in the index instead of reading a whole table.
 */
export const tableOf = (db: Pick<Db, 'getExecutor'>, ids: readonly number[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`json_each(${ids})`
    : sql`(select value from unnest(array(select value::bigint from jsonb_array_elements_text(${ids}))) as value)`

export type Candidate = Omit<ArticleSearchTextsTable, 'org_id' | 'digest'>

export async function selectCandidates(db: Db, orgId: OrgId, ids: readonly number[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`select "found"."id", "found"."article_id", "found"."language",
      "found"."title_words", "found"."prominent", "found"."length"
    from ${tableOf(db, ids)} as "wanted" cross join "article_search_texts" as "found"
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}`.execute(db)
  return rows
}

/** Returns those of the languages in which the organisation has texts. */
export async function selectLanguages(db: Db, orgId: OrgId, among: readonly string[]): Promise<string[]> {
  const languages = sql.join(among.map((language) => sql`(${language})`))
  const { rows } = await sql<{ language: string }>`
    with "wanted" ("language") as (values ${languages})
    select "wanted"."language" from "wanted" where exists (select 1 from "article_search_texts" as "texts"
      where "texts"."org_id" = ${orgId} and "texts"."language" = "wanted"."language")`.execute(db)
  return rows.map(({ language }) => language)
}

export interface ShownText {
  id: number
  title: string
  /** The requested part of the text. */
  plain: string
  slug: string
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
      "articles"."slug", "articles"."visibility", "bases"."public_slug", "bases"."is_published"
    from ${tableOf(db, ids)} as "wanted" cross join "article_search_texts" as "found"
    join "articles" on "articles"."id" = "found"."article_id"
    join "article_texts" as "texts" on "texts"."article_id" = "found"."article_id"
      and "texts"."language" = "found"."language"
    join "knowledge_bases" as "bases" on "bases"."id" = "articles"."knowledge_base_id"
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}`.execute(db)
  return rows
}

export interface NewText extends Omit<ArticleSearchTextsTable, 'id' | 'org_id'> {
  /** Separated by spaces. */
  terms: string
}

/** Returns the digests of an article's indexed texts by language. */
export async function selectDigests(db: Db, orgId: OrgId, articleId: string): Promise<Map<string, string>> {
  const texts = await db
    .selectFrom('article_search_texts')
    .select(['language', 'digest'])
    .where('org_id', '=', orgId)
    .where('article_id', '=', articleId)
    .execute()
  return new Map(texts.map(({ language, digest }) => [language, digest]))
}

export interface TextKey {
  article_id: string
  language: string
}

/** Deletes all texts of these articles. */
export async function deleteTextsOf(tx: Tx, orgId: OrgId, articleIds: readonly string[]): Promise<void> {
  const ids = isSqlite(tx)
    ? sql`select value from json_each(${articleIds})`
    : sql`select value::uuid from jsonb_array_elements_text(${articleIds})`
  await deleteWhere(tx, orgId, sql`"article_id" in (${ids})`)
}

export async function deleteTexts(tx: Tx, orgId: OrgId, texts: readonly TextKey[]): Promise<void> {
  const keys = isSqlite(tx)
    ? sql`select value ->> 'article_id', value ->> 'language' from json_each(${texts})`
    : sql`select r.article_id, r.language from jsonb_to_recordset(${texts}) as r (article_id uuid, language text)`
  await deleteWhere(tx, orgId, sql`("article_id", "language") in (${keys})`)
}

/** Deletes some texts of an organisation that is being deleted. Returns false if there are none. */
export async function deleteAnyTexts(tx: Tx, orgId: OrgId, limit: number): Promise<boolean> {
  const { rows: deleted } = await sql<{ id: number }>`delete from "article_search_texts" where "id" in (
    select "id" from "article_search_texts" where "org_id" = ${orgId} limit ${limit}) returning "id"`.execute(tx)
  await deleteIndexed(tx, deleted)
  return deleted.length > 0
}

async function deleteWhere(tx: Tx, orgId: OrgId, condition: RawBuilder<unknown>): Promise<void> {
  const { rows: deleted } = await sql<{ id: number }>`
    delete from "article_search_texts" where "org_id" = ${orgId} and ${condition} returning "id"`.execute(tx)
  if (deleted.length === 0) return
  await deleteIndexed(tx, deleted)
  const unwanted = sql`update "article_search_word_lists" set "is_wanted" = false
    where "org_id" = ${orgId} and ${condition} and "is_wanted"`
  await runWithoutResult(tx, unwanted)
}

/** PostgreSQL has no separate index of the terms. */
async function deleteIndexed(tx: Tx, texts: readonly { id: number }[]): Promise<void> {
  if (!isSqlite(tx)) return
  const ids = texts.map(({ id }) => id)
  const removed = sql`delete from "article_search_index" where "rowid" in (select value from json_each(${ids}))`
  await runWithoutResult(tx, removed)
}

const INSERTED_COLUMNS = sql.raw('"org_id", "article_id", "language", "title_words", "prominent", "length", "digest"')

export async function insertTexts(tx: Tx, orgId: OrgId, texts: readonly NewText[]): Promise<void> {
  if (!isSqlite(tx)) {
    await sql`insert into "article_search_texts" (${INSERTED_COLUMNS}, "terms")
      select ${orgId}, r.article_id, r.language, r.title_words, r.prominent, r.length, r.digest,
        array_to_tsvector(string_to_array(r.terms, ' '))
      from jsonb_to_recordset(${texts}) as r (article_id uuid, language text, title_words text, prominent text,
        length bigint, digest text, terms text)`.execute(tx)
    return
  }
  const { rows } = await sql<{
    id: number
    article_id: string
    language: string
  }>`insert into "article_search_texts" (${INSERTED_COLUMNS})
    select ${orgId}, value ->> 'article_id', value ->> 'language', value ->> 'title_words', value ->> 'prominent',
      value ->> 'length', value ->> 'digest' from json_each(${texts})
    returning "id", "article_id", "language"`.execute(tx)
  const ids = new Map(rows.map(({ id, article_id, language }) => [`${article_id} ${language}`, id]))
  const indexed = texts.map(({ article_id, language, terms }) => ({ id: ids.get(`${article_id} ${language}`), terms }))
  const insert = sql`insert into "article_search_index" ("rowid", "terms")
    select value ->> 'id', value ->> 'terms' from json_each(${indexed})`
  await runWithoutResult(tx, insert)
}

/** Merges some parts of SQLite's index, which a search would have to read one by one. Returns false if it has few. */
export async function mergeIndex(tx: Tx, pages: number): Promise<boolean> {
  const countChanges = async () => (await sql<{ n: number }>`select total_changes() as n`.execute(tx)).rows[0]?.n ?? 0
  const before = await countChanges()
  const merge = sql`insert into "article_search_index" ("article_search_index", "rank") values ('merge', ${pages})`
  await runWithoutResult(tx, merge)
  // The statement itself counts as one change.
  return (await countChanges()) - before > 1
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
