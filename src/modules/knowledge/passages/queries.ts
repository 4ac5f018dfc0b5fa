import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite, type Row, runForEach, runWithoutResult, type Tx } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

/** Limits the rows of one statement on SQLite, because an article has many passages. */
const ARTICLES_AT_ONCE_MAX = 25

export interface NewPassage extends Omit<Row<'article_passages'>, 'id' | 'org_id'> {
  /** Separated by spaces. */
  terms: string
}

const INSERTED = sql.raw(
  '"org_id", "article_id", "language", "position", "version_number", "has_steps", "title_words", "heading_words", "words", "headings", "markdown", "plain"',
)

export async function insertPassages(tx: Tx, orgId: OrgId, passages: readonly NewPassage[]): Promise<void> {
  if (passages.length === 0) return
  if (!isSqlite(tx)) {
    await sql`insert into "article_passages" (${INSERTED}, "terms")
      select ${orgId}, r.article_id, r.language, r.position, r.version_number, r.has_steps, r.title_words, r.heading_words, r.words,
        r.headings, r.markdown, r.plain, array_to_tsvector(string_to_array(r.terms, ' '))
      from jsonb_to_recordset(${passages}) as r (article_id uuid, language text, position bigint, version_number bigint,
        has_steps boolean, title_words text, heading_words text, words text, headings text, markdown text, plain text, terms text)`.execute(
      tx,
    )
    return
  }
  const { rows } = await sql<{ id: number; article_id: string; language: string; position: number }>`
    insert into "article_passages" (${INSERTED})
    select ${orgId}, value ->> 'article_id', value ->> 'language', value ->> 'position', value ->> 'version_number',
      value ->> 'has_steps', value ->> 'title_words', value ->> 'heading_words', value ->> 'words', value ->> 'headings', value ->> 'markdown',
      value ->> 'plain' from json_each(${passages})
    returning "id", "article_id", "language", "position"`.execute(tx)
  const keyOf = ({ article_id, language, position }: Pick<NewPassage, 'article_id' | 'language' | 'position'>) =>
    `${article_id} ${language} ${position}`
  const ids = new Map(rows.map((row) => [keyOf(row), row.id]))
  const indexed = passages.map((passage) => ({ id: ids.get(keyOf(passage)), terms: passage.terms }))
  const insert = sql`insert into "article_passage_index" ("rowid", "terms")
    select value ->> 'id', value ->> 'terms' from json_each(${indexed})`
  await runWithoutResult(tx, insert)
}

/** Deletes all passages of these articles. On SQLite, each article is a row of the statements, so that many can be divided. */
export async function deletePassagesOf(tx: Tx, orgId: OrgId, articleIds: readonly string[]): Promise<void> {
  if (!isSqlite(tx)) {
    const ids = sql`select value::uuid from jsonb_array_elements_text(${articleIds})`
    await deleteWhere(tx, orgId, sql`"article_id" in (${ids})`)
    return
  }
  const keys = articleIds.map((id) => [orgId, id])
  for (const statement of [
    `delete from "article_passage_index" where "rowid" in (
      select "id" from "article_passages" where "org_id" = ? and "article_id" = ?)`,
    `delete from "article_passages" where "org_id" = ? and "article_id" = ?`,
  ])
    await runForEach(tx, statement, keys, { rowsMax: ARTICLES_AT_ONCE_MAX })
}

/** Deletes the passages of these texts. */
export async function deletePassages(
  tx: Tx,
  orgId: OrgId,
  texts: readonly { article_id: string; language: string }[],
): Promise<void> {
  const keys = isSqlite(tx)
    ? sql`select value ->> 'article_id', value ->> 'language' from json_each(${texts})`
    : sql`select r.article_id, r.language from jsonb_to_recordset(${texts}) as r (article_id uuid, language text)`
  await deleteWhere(tx, orgId, sql`("article_id", "language") in (${keys})`)
}

/** Deletes some passages of an organisation that is being deleted. Returns false if there are none. */
export async function deleteAnyPassages(tx: Tx, orgId: OrgId, limit: number): Promise<boolean> {
  return deleteWhere(
    tx,
    orgId,
    sql`"id" in (select "id" from "article_passages" where "org_id" = ${orgId} limit ${limit})`,
  )
}

async function deleteWhere(tx: Tx, orgId: OrgId, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows: deleted } = await sql<{ id: number }>`
    delete from "article_passages" where "org_id" = ${orgId} and ${condition} returning "id"`.execute(tx)
  if (deleted.length > 0 && isSqlite(tx)) {
    const ids = deleted.map(({ id }) => id)
    const removed = sql`delete from "article_passage_index" where "rowid" in (select value from json_each(${ids}))`
    await runWithoutResult(tx, removed)
  }
  return deleted.length > 0
}

/** Merges some parts of SQLite's index, which a question would have to read one by one. Returns false if it has few. */
export async function mergePassageIndex(tx: Tx, pages: number): Promise<boolean> {
  const countChanges = async () => (await sql<{ n: number }>`select total_changes() as n`.execute(tx)).rows[0]?.n ?? 0
  const before = await countChanges()
  const merge = sql`insert into "article_passage_index" ("article_passage_index", "rank") values ('merge', ${pages})`
  await runWithoutResult(tx, merge)
  // The statement itself counts as one change.
  return (await countChanges()) - before > 1
}

/** The terms that a passage must have: one of each group. */
export type PassageExpression = readonly (readonly string[])[]

/** Needs no escaping: terms contain only letters and digits. */
const toMatch = (expression: PassageExpression): string =>
  expression.map((any) => `(${any.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ')

const toTsquery = (expression: PassageExpression): string =>
  expression.map((any) => `(${any.map((term) => `'${term}'`).join(' | ')})`).join(' & ')

/** Returns for each expression the passages that match it, at most this many. */
export async function selectPassageLists(
  db: Db,
  orgId: OrgId,
  expressions: readonly PassageExpression[],
  limit: number,
): Promise<number[][]> {
  if (expressions.length === 0) return []
  const lists = expressions.map(
    (expression, number) => sql`select ${number} as "number", (select json_group_array("id") from (
      select "rowid" as "id" from "article_passage_index" where "article_passage_index" match ${toMatch(expression)}
      order by "rowid" limit ${limit})) as "ids"`,
  )
  const query = isSqlite(db)
    ? sql<{ ids: number[] | string }>`${sql.join(lists, sql` union all `)} order by "number"`
    : sql<{ ids: number[] | string }>`select "ids" from article_passages_find(${orgId}, ${expressions.map(toTsquery)},
        ${limit}) order by "number"`
  const { rows } = await query.execute(db)
  return rows.map(({ ids }) => (typeof ids === 'string' ? (JSON.parse(ids) as number[]) : ids))
}

/** Which articles may be used. Without any of the lists all of the organisation that visitors may see. */
export interface PassageScope {
  articleIds: readonly string[]
  /** Includes all their subcategories. */
  categoryIds: readonly string[]
  knowledgeBaseIds: readonly string[]
}

const idsOf = (db: Db, ids: readonly string[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`select value from json_each(${ids})`
    : sql`select value::uuid from jsonb_array_elements_text(${ids})`

/** Checked for every passage that is read, even if the index has it. */
function isInScope(db: Db, { articleIds, categoryIds, knowledgeBaseIds }: PassageScope): RawBuilder<unknown> {
  const visible = sql`"articles"."status" = 'published' and "articles"."visibility" in ('public', 'chatbot_only')`
  const allowed = [
    articleIds.length > 0 && sql`"articles"."id" in (${idsOf(db, articleIds)})`,
    categoryIds.length > 0 && sql`"articles"."category_id" in (${idsOf(db, categoryIds)})`,
    knowledgeBaseIds.length > 0 && sql`"articles"."knowledge_base_id" in (${idsOf(db, knowledgeBaseIds)})`,
  ].filter((condition) => condition !== false)
  return allowed.length === 0 ? visible : sql`${visible} and (${sql.join(allowed, sql` or `)})`
}

/** The IDs as a table to put first in a cross join, see `tableOf` in article-search. */
const tableOf = (db: Db, ids: readonly number[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`json_each(${ids})`
    : sql`(select value from unnest(array(select value::bigint from jsonb_array_elements_text(${ids}))) as value)`

export type RankedPassage = Pick<
  Row<'article_passages'>,
  'id' | 'article_id' | 'language' | 'position' | 'has_steps' | 'title_words' | 'heading_words' | 'headings' | 'words'
>

/** Returns what ranking needs of those of the passages that are in scope. */
export async function selectRanked(
  db: Db,
  orgId: OrgId,
  ids: readonly number[],
  scope: PassageScope,
): Promise<RankedPassage[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<RankedPassage>`
    select "found"."id", "found"."article_id", "found"."language", "found"."position", "found"."has_steps",
      "found"."title_words", "found"."heading_words", "found"."headings", "found"."words"
    from ${tableOf(db, ids)} as "wanted" cross join "article_passages" as "found"
    join "articles" on "articles"."id" = "found"."article_id" and "articles"."org_id" = ${orgId}
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId} and ${isInScope(db, scope)}`.execute(db)
  return rows
}

export interface ShownPassage extends Pick<Row<'article_passages'>, 'id' | 'article_id' | 'language' | 'position'> {
  version_number: number
  title: string
  headings: string
  markdown: string
  plain: string
  slug: string
  visibility: string
  public_slug: string
  is_published: boolean
}

/**
 * Returns passages as they are shown. While the article waits to be indexed, they are still those of the version that
 * was indexed last.
 */
const SHOWN = sql.raw(`"found"."id", "found"."article_id", "found"."language", "found"."position",
  case when "articles"."indexing_due_at" is null then "articles"."version_number" else "found"."version_number" end
    as "version_number",
  "texts"."title", "found"."headings", "found"."markdown", "found"."plain",
  "articles"."slug", "articles"."visibility", "bases"."public_slug", "bases"."is_published"`)
const SHOWN_JOINS = sql.raw(`join "article_texts" as "texts" on "texts"."article_id" = "found"."article_id"
    and "texts"."language" = "found"."language"
  join "knowledge_bases" as "bases" on "bases"."id" = "articles"."knowledge_base_id"`)

export async function selectShown(
  db: Db,
  orgId: OrgId,
  ids: readonly number[],
  scope: PassageScope,
): Promise<ShownPassage[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ShownPassage>`select ${SHOWN}
    from ${tableOf(db, ids)} as "wanted" cross join "article_passages" as "found"
    join "articles" on "articles"."id" = "found"."article_id" and "articles"."org_id" = ${orgId} ${SHOWN_JOINS}
    where "found"."id" = "wanted"."value" and "found"."org_id" = ${orgId} and ${isInScope(db, scope)}`.execute(db)
  return rows
}

/** Returns the IDs and headings of an article's passages in these languages, in order. */
export const selectOutline = (
  db: Db,
  orgId: OrgId,
  articleIds: readonly string[],
  languages: readonly string[],
): Promise<Pick<Row<'article_passages'>, 'id' | 'article_id' | 'language' | 'position'>[]> =>
  db
    .selectFrom('article_passages')
    .select(['id', 'article_id', 'language', 'position'])
    .where('org_id', '=', orgId)
    .where('article_id', 'in', articleIds)
    .where('language', 'in', languages)
    .orderBy('article_id')
    .orderBy('language')
    .orderBy('position')
    .execute()

/** Returns these categories and everything below them, at most `limit`. */
export async function selectSubtrees(
  db: Db,
  orgId: OrgId,
  categoryIds: readonly string[],
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`with recursive "below" ("id") as (
      select "id" from "article_categories" where "org_id" = ${orgId} and "id" in (${idsOf(db, categoryIds)})
      union
      select "child"."id" from "below" join "article_categories" as "child"
        on "child"."parent_id" = "below"."id" and "child"."org_id" = ${orgId})
    select "id" from "below" limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
