import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite, type Row, runForEach, runWithoutResult, type Tx } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

/** Limits the rows of one statement on SQLite, because the texts of an article have many words. */
const ARTICLES_AT_ONCE_MAX = 25

export interface NewText extends Omit<Row<'article_search_texts'>, 'id' | 'org_id'> {
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

/** Deletes all texts of these articles. On SQLite, each article is a row of the statements, so that many can be divided. */
export async function deleteTextsOf(tx: Tx, orgId: OrgId, articleIds: readonly string[]): Promise<void> {
  if (!isSqlite(tx)) {
    const ids = sql`select value::uuid from jsonb_array_elements_text(${articleIds})`
    await deleteWhere(tx, orgId, sql`"article_id" in (${ids})`)
    return
  }
  const keys = articleIds.map((id) => [orgId, id])
  for (const statement of [
    `delete from "article_search_index" where "rowid" in (
      select "id" from "article_search_texts" where "org_id" = ? and "article_id" = ?)`,
    `update "article_search_word_lists" set "is_wanted" = false where "org_id" = ? and "article_id" = ? and "is_wanted"`,
    `delete from "article_search_texts" where "org_id" = ? and "article_id" = ?`,
  ])
    await runForEach(tx, statement, keys, { rowsMax: ARTICLES_AT_ONCE_MAX })
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
