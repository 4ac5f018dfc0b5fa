import { sql } from 'kysely'
import { type Db, isSqlite, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ArticleSearchWordsTable {
  id: number
  org_id: string
  language: string
  word: string
  /** Number of texts that contain it. */
  texts: number
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    article_search_words: ArticleSearchWordsTable
  }
}

export type KnownWord = Pick<ArticleSearchWordsTable, 'language' | 'word' | 'texts'>
export type CountedWord = Omit<ArticleSearchWordsTable, 'org_id'>

/** Limits the rows read per language for a short prefix that many words share. */
const PREFIX_WORDS_MAX = 2000

/** Returns the most frequent longer words that begin with the prefix. */
export async function selectWordsByPrefix(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  prefix: string,
  limit: number,
): Promise<KnownWord[]> {
  const longer = languages.map(
    (language) => sql`select * from (select "language", "word", "texts" from "article_search_words"
      where "org_id" = ${orgId} and "language" = ${language}
        and "word" > ${prefix} and "word" < ${`${prefix}\u{10ffff}`}
      order by "word" limit ${PREFIX_WORDS_MAX}) as "longer"`,
  )
  const { rows } = await sql<KnownWord>`select * from (${sql.join(longer, sql` union all `)}) as "longer_words"
    order by "texts" desc, "language", "word" limit ${limit}`.execute(db)
  return rows
}

export const isWordKnown = async (
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  word: string,
): Promise<boolean> => {
  const found = await db
    .selectFrom('article_search_words')
    .select('word')
    .where('org_id', '=', orgId)
    .where('language', 'in', languages)
    .where('word', '=', word)
    .limit(1)
    .execute()
  return found.length > 0
}

/** Returns the words of about this length that have one of these keys. */
export async function selectWordsByKeys(
  db: Db,
  orgId: OrgId,
  keys: readonly number[],
  shortest: number,
  longest: number,
): Promise<KnownWord[]> {
  const wanted = isSqlite(db)
    ? sql`json_each(${keys})`
    : sql`(select value::integer as value from jsonb_array_elements_text(${keys}))`
  // Reads from the keys to the words, never all words of the organisation: SQLite keeps the order of cross joins.
  const { rows } = await sql<KnownWord>`select distinct "words"."language", "words"."word", "words"."texts"
    from ${wanted} as "wanted" cross join "article_search_misspellings" as "filed"
      cross join "article_search_words" as "words"
    where "filed"."key" = "wanted"."value" and "words"."id" = "filed"."word_id" and "words"."org_id" = ${orgId}
      and length("words"."word") between ${shortest} and ${longest}`.execute(db)
  return rows
}

/** Adds to the counts, which may be negative, and returns the new ones. */
export async function addToCounts(tx: Tx, orgId: OrgId, changes: readonly KnownWord[]): Promise<CountedWord[]> {
  const source = isSqlite(tx)
    ? sql`select ${orgId}, value ->> 'language', value ->> 'word', value ->> 'texts' from json_each(${changes}) where true`
    : sql`select ${orgId}, r.language, r.word, r.texts
          from jsonb_to_recordset(${changes}) as r (language text, word text, texts bigint)`
  const { rows } = await sql<CountedWord>`insert into "article_search_words" ("org_id", "language", "word", "texts")
    ${source} on conflict ("org_id", "language", "word")
    do update set "texts" = "article_search_words"."texts" + excluded."texts"
    returning "id", "language", "word", "texts"`.execute(tx)
  return rows
}

export interface Misspelling {
  key: number
  word_id: number
}

export async function insertMisspellings(tx: Tx, rows: readonly Misspelling[]): Promise<void> {
  const source = isSqlite(tx)
    ? sql`select value ->> 'key', value ->> 'word_id' from json_each(${rows}) where true`
    : sql`select r.key, r.word_id from jsonb_to_recordset(${rows}) as r (key integer, word_id integer)`
  await sql`insert into "article_search_misspellings" ("key", "word_id") ${source} on conflict do nothing`.execute(tx)
}

/** Deletes words and their misspellings. */
export async function deleteWords(
  tx: Tx,
  orgId: OrgId,
  ids: readonly number[],
  misspellings: readonly Misspelling[],
): Promise<void> {
  const isLite = isSqlite(tx)
  await sql`delete from "article_search_misspellings" where ("key", "word_id") in (${
    isLite
      ? sql`select value ->> 'key', value ->> 'word_id' from json_each(${misspellings})`
      : sql`select r.key, r.word_id from jsonb_to_recordset(${misspellings}) as r (key integer, word_id integer)`
  })`.execute(tx)
  await sql`delete from "article_search_words" where "org_id" = ${orgId} and "id" in (${
    isLite ? sql`select value from json_each(${ids})` : sql`select value::bigint from jsonb_array_elements_text(${ids})`
  })`.execute(tx)
}
