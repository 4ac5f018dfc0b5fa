import { type RawBuilder, sql } from 'kysely'
import { type Db, isSqlite } from '../../../platform/db/index.ts'
import type { OrgId } from '../../../platform/ids/index.ts'

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
