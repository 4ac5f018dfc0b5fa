import { sql } from 'kysely'
import { type Db, isSqlite, type Row } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

export type KnownWord = Pick<Row<'article_search_words'>, 'language' | 'word' | 'texts'>

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
        and "word" > ${prefix} and "word" < ${`${prefix}\u{10ffff}`} and "texts" > 0
      order by "word" limit ${PREFIX_WORDS_MAX}) as "longer"`,
  )
  const { rows } = await sql<KnownWord>`select * from (${sql.join(longer, sql` union all `)}) as "longer_words"
    order by "texts" desc, "language", "word" limit ${limit}`.execute(db)
  return rows
}

/** Returns for each of the words that any texts contain how many do. */
export async function selectWordCounts(
  db: Db,
  orgId: OrgId,
  languages: readonly string[],
  words: readonly string[],
): Promise<Map<string, number>> {
  if (words.length === 0) return new Map()
  const wanted = isSqlite(db)
    ? sql`select value from json_each(${words})`
    : sql`select value from jsonb_array_elements_text(${words}) as value`
  const { rows } = await sql<{ word: string; texts: number }>`
    select "word", sum("texts") as "texts" from "article_search_words"
    where "org_id" = ${orgId} and "language" in (${sql.join(languages)}) and "word" in (${wanted}) and "texts" > 0
    group by "word"`.execute(db)
  return new Map(rows.map(({ word, texts }) => [word, Number(texts)]))
}

/** Returns those of the words that texts in this language contain. */
export const selectKnownWords = (
  db: Db,
  orgId: OrgId,
  language: string,
  words: readonly string[],
): Promise<KnownWord[]> =>
  db
    .selectFrom('article_search_words')
    .select(['language', 'word', 'texts'])
    .where('org_id', '=', orgId)
    .where('language', '=', language)
    .where('word', 'in', words)
    .where('texts', '>', 0)
    .execute()

interface WordPrefix {
  language: string
  prefix: string
}

/** Limits the rows read for a short prefix that many words share. */
const FORMS_MAX = 200

/** Returns the words that begin with the prefixes. */
export async function selectForms(db: Db, orgId: OrgId, prefixes: readonly WordPrefix[]): Promise<KnownWord[]> {
  const forms = prefixes.map(
    ({ language, prefix }) => sql`select * from (select "language", "word", "texts" from "article_search_words"
      where "org_id" = ${orgId} and "language" = ${language}
        and "word" >= ${prefix} and "word" < ${`${prefix}\u{10ffff}`} and "texts" > 0
      order by "word" limit ${FORMS_MAX}) as "forms"`,
  )
  return (await sql<KnownWord>`${sql.join(forms, sql` union `)}`.execute(db)).rows
}

/** Comparing this many takes about ten milliseconds. */
const SIMILAR_MAX = 4000

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
      and "words"."texts" > 0 and length("words"."word") between ${shortest} and ${longest}
    limit ${SIMILAR_MAX}`.execute(db)
  return rows
}
