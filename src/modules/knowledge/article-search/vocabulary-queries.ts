import { sql } from 'kysely'
import { type Db, isSqlite } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

interface ArticleSearchWordsTable {
  id: number
  org_id: string
  language: string
  word: string
  /** Number of texts that contain it. */
  texts: number
  /** Whether its misspellings are stored. If not, or if `texts` is 0, the worker will store or delete them. */
  is_settled: boolean
}

declare module '../../../platform/db/types.ts' {
  interface Tables {
    article_search_words: ArticleSearchWordsTable
  }
}

export type KnownWord = Pick<ArticleSearchWordsTable, 'language' | 'word' | 'texts'>

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
    .where('texts', '>', 0)
    .limit(1)
    .execute()
  return found.length > 0
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
      and "words"."texts" > 0 and length("words"."word") between ${shortest} and ${longest}`.execute(db)
  return rows
}
