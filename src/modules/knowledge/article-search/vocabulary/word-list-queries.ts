import { type RawBuilder, sql } from 'kysely'
import { type Db, forUpdate, isSqlite, type Row, runWithoutResult, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import { tableOf } from '../query/match-queries.ts'

const LISTS = 'article_search_word_lists'
const WORDS = 'article_search_words'

/** Lets one transaction at a time change the vocabulary of an organisation. */
export async function lockVocabulary(tx: Tx, orgId: OrgId): Promise<void> {
  if (isSqlite(tx)) return
  await runWithoutResult(tx, sql`select pg_advisory_xact_lock(hashtextextended(${`article-search ${orgId}`}, 0))`)
}

export type NewWordList = Pick<Row<'article_search_word_lists'>, 'article_id' | 'language' | 'words'>

export async function insertWordLists(tx: Tx, orgId: OrgId, lists: readonly NewWordList[]): Promise<void> {
  const source = isSqlite(tx)
    ? sql`select ${orgId}, value ->> 'article_id', value ->> 'language', value ->> 'words', true, false
          from json_each(${lists})`
    : sql`select ${orgId}, r.article_id, r.language, r.words, true, false
          from jsonb_to_recordset(${lists}) as r (article_id uuid, language text, words text)`
  const insert = sql`insert into "article_search_word_lists"
    ("org_id", "article_id", "language", "words", "is_wanted", "is_counted") ${source}`
  await runWithoutResult(tx, insert)
}

/** Whether words of the organisation must be added to the vocabulary or removed from it. */
export async function hasUncountedLists(db: Db, orgId: OrgId): Promise<boolean> {
  const { rows } = await sql`
    select 1 where exists (select 1 from "article_search_word_lists" where "org_id" = ${orgId} and not "is_counted")
      or exists (select 1 from "article_search_word_lists" where "org_id" = ${orgId} and not "is_wanted")`.execute(db)
  return rows.length > 0
}

export type WordList = Pick<Row<'article_search_word_lists'>, 'id' | 'is_counted'> & { length: number }

/** Locks the oldest lists whose words are not counted yet. */
export const lockNewLists = (tx: Tx, orgId: OrgId, limit: number): Promise<WordList[]> =>
  lockLists(tx, orgId, sql`"is_wanted" and not "is_counted"`, limit)

/** Locks the oldest lists of texts that have left the index. */
export const lockUnwantedLists = (tx: Tx, orgId: OrgId, limit: number): Promise<WordList[]> =>
  lockLists(tx, orgId, sql`not "is_wanted"`, limit)

async function lockLists(tx: Tx, orgId: OrgId, condition: RawBuilder<unknown>, limit: number): Promise<WordList[]> {
  const { rows } = await sql<WordList>`select "id", "is_counted", length("words") as "length"
    from "article_search_word_lists"
    where "org_id" = ${orgId} and ${condition} order by "id" limit ${limit}
    ${forUpdate(tx)}`.execute(tx)
  return rows
}

/** Selects rows by their IDs. SQLite keeps the order of cross joins; otherwise it would read all of the organisation. */
const byIds = (tx: Tx, orgId: OrgId, table: string, ids: readonly number[]): RawBuilder<unknown> =>
  sql`select "found".* from ${tableOf(tx, ids)} as "wanted" cross join ${sql.table(table)} as "found"
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId}`

/** Adds one text to the count of each word in the lists, or removes one. Words that get the count 0 stay for now. */
export async function addToCounts(tx: Tx, orgId: OrgId, listIds: readonly number[], step: 1 | -1): Promise<void> {
  const words = isSqlite(tx)
    ? sql`json_each("lists"."words") as "listed"`
    : sql`jsonb_array_elements_text("lists"."words"::jsonb) as "listed" ("value")`
  const add = sql`insert into "article_search_words" ("org_id", "language", "word", "texts", "is_settled")
    select "lists"."org_id", "lists"."language", "listed"."value", ${sql.lit(step)} * count(*), false
    from (${byIds(tx, orgId, LISTS, listIds)}) as "lists" cross join ${words}
    where true
    group by "lists"."org_id", "lists"."language", "listed"."value"
    on conflict ("org_id", "language", "word") do update set
      "texts" = "article_search_words"."texts" + excluded."texts",
      "is_settled" = "article_search_words"."is_settled" and "article_search_words"."texts" + excluded."texts" > 0
    `
  await runWithoutResult(tx, add)
}

export async function setCounted(tx: Tx, orgId: OrgId, listIds: readonly number[]): Promise<void> {
  const update = sql`update "article_search_word_lists" set "is_counted" = true
    where "id" in (select "id" from (${byIds(tx, orgId, LISTS, listIds)}) as "lists")`
  await runWithoutResult(tx, update)
}

export async function deleteLists(tx: Tx, orgId: OrgId, listIds: readonly number[]): Promise<void> {
  const remove = sql`delete from "article_search_word_lists"
    where "id" in (select "id" from (${byIds(tx, orgId, LISTS, listIds)}) as "lists")`
  await runWithoutResult(tx, remove)
}

export interface UnsettledWord {
  id: number
  language: string
  word: string
  texts: number
}

/** Returns words whose misspellings must be stored or deleted. */
export async function selectUnsettled(db: Db, orgId: OrgId, limit: number): Promise<UnsettledWord[]> {
  const { rows } = await sql<UnsettledWord>`select "id", "language", "word", "texts" from "article_search_words"
    where "org_id" = ${orgId} and not "is_settled" order by "id" limit ${limit}`.execute(db)
  return rows
}

export type KeyedWord = readonly [key: number, wordId: number]

/** Stores the misspellings of those words that are in a text. */
export async function insertMisspellings(tx: Tx, orgId: OrgId, keyed: readonly KeyedWord[]): Promise<void> {
  const found = sql`from ${source(tx, keyed)} cross join "article_search_words" as "words"
    where "words"."id" = ${wordId(tx)} and "words"."org_id" = ${orgId} and "words"."texts" > 0`
  // On PostgreSQL, `on conflict` would write half as much again. No one else changes these words: the vocabulary is locked.
  const missing = isSqlite(tx)
    ? sql`select ${key(tx)}, "words"."id" ${found} on conflict do nothing`
    : sql`select distinct ${key(tx)}, "words"."id" ${found} and not exists (
        select 1 from "article_search_misspellings" as "filed"
        where "filed"."key" = ${key(tx)} and "filed"."word_id" = "words"."id")`
  await runWithoutResult(tx, sql`insert into "article_search_misspellings" ("key", "word_id") ${missing}`)
}

/** Deletes the misspellings of those words that are in no text any more. */
export async function deleteMisspellings(tx: Tx, orgId: OrgId, keyed: readonly KeyedWord[]): Promise<void> {
  const remove = sql`delete from "article_search_misspellings" where ("key", "word_id") in (
    select ${key(tx)}, "words"."id" from ${source(tx, keyed)} cross join "article_search_words" as "words"
    where "words"."id" = ${wordId(tx)} and "words"."org_id" = ${orgId} and "words"."texts" = 0)`
  await runWithoutResult(tx, remove)
}

const source = (tx: Tx, keyed: readonly KeyedWord[]): RawBuilder<unknown> =>
  isSqlite(tx) ? sql`json_each(${keyed}) as "keyed"` : sql`jsonb_array_elements(${keyed}) as "keyed" ("value")`
const key = (tx: Tx) => (isSqlite(tx) ? sql`"keyed"."value" ->> 0` : sql`("keyed"."value" ->> 0)::integer`)
const wordId = (tx: Tx) => (isSqlite(tx) ? sql`"keyed"."value" ->> 1` : sql`("keyed"."value" ->> 1)::integer`)

/** Sets the words settled, or deletes those that are in no text. All of their misspellings must be stored or deleted. */
export async function settleWords(tx: Tx, orgId: OrgId, ids: readonly number[]): Promise<void> {
  const words = sql`"id" in (select "id" from (${byIds(tx, orgId, WORDS, ids)}) as "words")`
  await runWithoutResult(tx, sql`update "article_search_words" set "is_settled" = true where ${words} and "texts" > 0`)
  await runWithoutResult(tx, sql`delete from "article_search_words" where ${words} and "texts" = 0`)
}

/** Deletes some lists of an organisation that is being deleted. Returns false if there are none. */
export async function deleteAnyLists(tx: Tx, orgId: OrgId, limit: number): Promise<boolean> {
  const { rows } = await sql`delete from "article_search_word_lists" where "id" in (
    select "id" from "article_search_word_lists" where "org_id" = ${orgId} limit ${limit}) returning "id"`.execute(tx)
  return rows.length > 0
}

/** Sets some words to be deleted with their misspellings. Returns false if all of them are. */
export async function clearCounts(tx: Tx, orgId: OrgId, limit: number): Promise<boolean> {
  const { rows } = await sql`update "article_search_words" set "texts" = 0, "is_settled" = false where "id" in (
    select "id" from "article_search_words" where "org_id" = ${orgId} and "texts" <> 0 limit ${limit})
    returning "id"`.execute(tx)
  return rows.length > 0
}

/** Returns the first organisation after this one whose vocabulary must be updated. */
export async function selectOutdatedVocabulary(db: Db, after: string): Promise<OrgId | undefined> {
  const first = (table: string, condition: string) => sql`select * from (
    select "org_id" from ${sql.table(table)} where not ${sql.ref(condition)} and "org_id" > ${after}
    order by "org_id" limit 1) as "first_of"`
  const { rows } = await sql<{ org_id: OrgId }>`
    ${first('article_search_word_lists', 'is_counted')} union all
    ${first('article_search_word_lists', 'is_wanted')} union all
    ${first('article_search_words', 'is_settled')}
    order by "org_id" limit 1`.execute(db)
  return rows[0]?.org_id
}
