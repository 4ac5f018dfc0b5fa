import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ArticleSearchTextsTable {
  id: number
  org_id: string
  article_id: string
  language: string
  title_words: string
  heading_words: string
  prominent: string
  length: number
  digest: string
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    article_search_texts: ArticleSearchTextsTable
  }
}

/** A term, or several of which a text must have all. */
export type Alternative = string | readonly string[]

/**
 * One entry per language, of which any may match. An entry matches if each of its groups has at least one matching
 * alternative. Lists are intersected per language, because a text has one language and this takes a third of the time.
 */
export type Expression = readonly (readonly (readonly Alternative[])[])[]

/** Needs no escaping: terms contain only letters and digits. */
const toMatch = (expression: Expression): string =>
  expression.map((all) => `(${joinGroups(all, '"', ' OR ', ' AND ')})`).join(' OR ')

const toTsqueries = (expression: Expression): string[] => expression.map((all) => joinGroups(all, "'", ' | ', ' & '))

function joinGroups(groups: readonly (readonly Alternative[])[], quote: string, or: string, and: string): string {
  const quoted = (term: string) => `${quote}${term}${quote}`
  const toText = (alternative: Alternative) =>
    typeof alternative === 'string' ? quoted(alternative) : `(${alternative.map(quoted).join(and)})`
  return groups.map((any) => `(${any.map(toText).join(or)})`).join(and)
}

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

/** Returns for each expression the texts that match it, at most this many. */
export async function selectLists(
  db: Db,
  orgId: OrgId,
  expressions: readonly Expression[],
  limit: number,
): Promise<number[][]> {
  const numbered = [...expressions.entries()].filter(([, expression]) => expression.length > 0)
  const lists: number[][] = expressions.map(() => [])
  for (let from = 0; from < numbered.length; from += LISTS_PER_STATEMENT) {
    const some = numbered.slice(from, from + LISTS_PER_STATEMENT)
    for (const { number, ids } of await readLists(db, orgId, some, limit)) {
      const [place] = some[number - 1] as (typeof some)[number]
      lists[place] = typeof ids === 'string' ? (JSON.parse(ids) as number[]) : ids
    }
  }
  return lists
}

/** SQLite allows 500 parts in a union. */
const LISTS_PER_STATEMENT = 100

async function readLists(
  db: Db,
  orgId: OrgId,
  expressions: readonly (readonly [number, Expression])[],
  limit: number,
): Promise<{ number: number; ids: number[] | string }[]> {
  if (!isSqlite(db)) {
    const queries = expressions.map(([, expression]) =>
      toTsqueries(expression)
        .map((query) => `(${query})`)
        .join(' | '),
    )
    const { rows } = await sql<{ number: number; ids: number[] }>`
      select "number", "ids" from article_search_lists(${orgId}, ${queries}, ${limit})`.execute(db)
    return rows
  }
  const lists = expressions.map(
    ([, expression], index) => sql`select ${index + 1} as "number", (select json_group_array("id") from (
      select "rowid" as "id" from "article_search_index" where "article_search_index" match ${toMatch(expression)}
      order by "rowid" desc limit ${limit})) as "ids"`,
  )
  return (await sql<{ number: number; ids: string }>`${sql.join(lists, sql` union all `)}`.execute(db)).rows
}

/** Returns those of the texts that match, by reading them instead of the list of all that match. */
export async function selectMatching(
  db: Db,
  orgId: OrgId,
  expression: Expression,
  ids: readonly number[],
): Promise<Set<number>> {
  if (expression.length === 0 || ids.length === 0) return new Set()
  const query = isSqlite(db)
    ? sql<{ id: number }>`select "found"."rowid" as "id"
        from ${tableOf(db, ids)} as "wanted" cross join "article_search_index" as "found"
        where "found"."rowid" = "wanted"."value" and "found"."article_search_index" match ${toMatch(expression)}`
    : sql<{ id: number }>`select "found"."id"
        from ${tableOf(db, ids)} as "wanted" cross join "article_search_texts" as "found"
        where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}
          and "found"."terms" @@ ${toTsqueries(expression)
            .map((each) => `(${each})`)
            .join(' | ')}::tsquery`
  return new Set((await query.execute(db)).rows.map(({ id }) => id))
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
      "found"."title_words", "found"."heading_words", "found"."prominent", "found"."length"
    from ${tableOf(db, ids)} as "wanted" cross join "article_search_texts" as "found"
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}`.execute(db)
  return rows
}

/** More than the readers of an organisation speak. A search of all languages costs as much as one in each of them. */
const LANGUAGES_SEARCHED_MAX = 40

/**
 * Returns the languages in which the organisation has texts, or the one that is wanted if it has texts in it. Each is
 * looked up in the index after the one before: `distinct` would read all texts.
 */
export async function selectLanguages(db: Db, orgId: OrgId, wanted?: string): Promise<string[]> {
  const is = wanted === undefined ? sql`true` : sql`"language" = ${wanted}`
  const texts = sql`from "article_search_texts" where "org_id" = ${orgId} and ${is}`
  const { rows } = await sql<{ language: string }>`
    with recursive "found" ("language") as (
      select min("language") ${texts}
      union all
      select (select min("language") ${texts} and "language" > "found"."language") from "found"
      where "found"."language" is not null)
    select "language" from "found" where "language" is not null limit ${sql.lit(LANGUAGES_SEARCHED_MAX)}`.execute(db)
  return rows.map(({ language }) => language)
}

/** An organisation with texts in more languages must name one. */
const LANGUAGES_MAX = 24

/** Returns the languages in which the organisation has texts. Reads one entry of the index for each. */
export async function selectTextLanguages(db: Db, orgId: OrgId): Promise<string[]> {
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

export interface NamedCategory {
  id: string
  name: string
  parent_id: string | null
}

export interface PathCategory extends NamedCategory {
  /** By language. */
  translations: Readonly<Record<string, { name: string }>>
}

/** Returns the categories with their ancestors, up to this many levels. */
export async function selectPaths(
  db: Db,
  orgId: OrgId,
  categoryIds: readonly string[],
  levels: number,
): Promise<PathCategory[]> {
  if (categoryIds.length === 0) return []
  const wanted = isSqlite(db)
    ? sql`select value from json_each(${categoryIds})`
    : sql`select value::uuid from jsonb_array_elements_text(${categoryIds})`
  const { rows } =
    await sql<PathCategory>`with recursive "path" ("id", "name", "parent_id", "translations", "level") as (
      select "id", "name", "parent_id", "translations", 1 from "article_categories" where "org_id" = ${orgId} and "id" in (${wanted})
      union
      select "above"."id", "above"."name", "above"."parent_id", "above"."translations", "path"."level" + 1
      from "path" join "article_categories" as "above" on "above"."id" = "path"."parent_id"
      where "above"."org_id" = ${orgId} and "path"."level" < ${levels})
    select distinct "id", "name", "parent_id", "translations" from "path"`.execute(db)
  return rows
}

/** Returns some of the categories of a knowledge base. */
export const selectCategories = (
  db: Db,
  orgId: OrgId,
  knowledgeBaseId: string,
  limit: number,
): Promise<NamedCategory[]> =>
  db
    .selectFrom('article_categories')
    .select(['id', 'name', 'parent_id'])
    .where('org_id', '=', orgId)
    .where('knowledge_base_id', '=', knowledgeBaseId)
    .orderBy('sort_order')
    .orderBy('id')
    .limit(limit)
    .execute()

/** Returns indexed texts of the articles in these categories. */
export async function selectTextsIn(
  db: Db,
  orgId: OrgId,
  categoryIds: readonly string[],
  languages: readonly string[],
  visibility: string | undefined,
  limit: number,
): Promise<{ id: number; category_id: string }[]> {
  if (categoryIds.length === 0) return []
  const { rows } = await sql<{ id: number; category_id: string }>`
    select "texts"."id", "articles"."category_id" from (
      select "id", "category_id" from "articles"
      where "org_id" = ${orgId} and "category_id" in (${sql.join(categoryIds)}) and "status" = 'published'
        ${visibility === undefined ? sql`` : sql`and "visibility" = ${visibility}`}
      order by "category_id", "created_at", "id" limit ${limit}) as "articles"
    cross join "article_search_texts" as "texts"
    where "texts"."org_id" = ${orgId} and "texts"."article_id" = "articles"."id"
      and "texts"."language" in (${sql.join(languages)})`.execute(db)
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

const INSERTED_COLUMNS = sql.raw(
  '"org_id", "article_id", "language", "title_words", "heading_words", "prominent", "length", "digest"',
)

export async function insertTexts(tx: Tx, orgId: OrgId, texts: readonly NewText[]): Promise<void> {
  if (!isSqlite(tx)) {
    await sql`insert into "article_search_texts" (${INSERTED_COLUMNS}, "terms")
      select ${orgId}, r.article_id, r.language, r.title_words, r.heading_words, r.prominent, r.length, r.digest,
        array_to_tsvector(string_to_array(r.terms, ' '))
      from jsonb_to_recordset(${texts}) as r (article_id uuid, language text, title_words text,
        heading_words text, prominent text, length bigint, digest text, terms text)`.execute(tx)
    return
  }
  const { rows } = await sql<{
    id: number
    article_id: string
    language: string
  }>`insert into "article_search_texts" (${INSERTED_COLUMNS})
    select ${orgId}, value ->> 'article_id', value ->> 'language', value ->> 'title_words', value ->> 'heading_words',
      value ->> 'prominent', value ->> 'length', value ->> 'digest' from json_each(${texts})
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
