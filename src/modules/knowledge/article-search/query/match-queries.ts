import { type RawBuilder, sql } from 'kysely'
import { batchesOf, type Db, isSqlite } from '../../../../platform/db/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'

/** A term, or several of which a text must have all. */
export type Alternative = string | readonly string[]

/** Each group must have at least one matching alternative. */
type Groups = readonly (readonly Alternative[])[]

export interface Expression {
  /**
   * Any of them may match. Lists are intersected per language, because a text has one language and this takes a third of
   * the time.
   */
  perLanguage: readonly Groups[]
  /** A term that a text must have, too. */
  scope: string | undefined
}

const isEmpty = ({ perLanguage }: Expression): boolean => perLanguage.length === 0

/** Needs no escaping: terms contain only letters and digits. The list of a scope is long, and is read once. */
function toMatch({ perLanguage, scope }: Expression): string {
  const any = perLanguage.map((all) => `(${joinGroups(all, '"', ' OR ', ' AND ')})`).join(' OR ')
  return scope === undefined ? any : `(${any}) AND "${scope}"`
}

const toTsqueries = ({ perLanguage, scope }: Expression): string[] =>
  perLanguage.map((all) => joinGroups(scope === undefined ? all : [...all, [scope]], "'", ' | ', ' & '))

function joinGroups(groups: Groups, quote: string, or: string, and: string): string {
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
  if (isEmpty(expression)) return []
  const query = isSqlite(db)
    ? sql<Listed>`select ${listOf(expression, limit)} as "ids"`
    : sql<Listed>`select '[' || coalesce(string_agg("id"::text, ','), '') || ']' as "ids"
        from article_search_find(${orgId}, ${toTsqueries(expression)}, ${limit}) as "id"`
  return (await query.execute(db)).rows.flatMap(toIds)
}

interface Listed {
  /** Many IDs are JSON text: PostgreSQL would take half as long again to build a JSON value. */
  ids: number[] | string
}

const toIds = ({ ids }: Listed): number[] => (typeof ids === 'string' ? (JSON.parse(ids) as number[]) : ids)

/** One value for all IDs: thousands of rows would take longer to hand over than to find. */
const listOf = (expression: Expression, limit: number): RawBuilder<unknown> => sql`(
  select json_group_array("id") from (
    select "rowid" as "id" from "article_search_index" where "article_search_index" match ${toMatch(expression)}
    order by "rowid" desc limit ${limit}))`

/** Returns for each expression the texts that match it, at most this many. */
export async function selectLists(
  db: Db,
  orgId: OrgId,
  expressions: readonly Expression[],
  limit: number,
): Promise<number[][]> {
  const numbered = [...expressions.entries()].filter(([, expression]) => !isEmpty(expression))
  const lists: number[][] = expressions.map(() => [])
  for (const some of batchesOf(numbered, LISTS_PER_STATEMENT)) {
    for (const listed of await readLists(db, orgId, some, limit)) {
      const [place] = some[listed.number - 1] as (typeof some)[number]
      lists[place] = toIds(listed)
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
): Promise<(Listed & { number: number })[]> {
  if (!isSqlite(db)) {
    const queries = expressions.map(([, expression]) =>
      toTsqueries(expression)
        .map((query) => `(${query})`)
        .join(' | '),
    )
    const { rows } = await sql<Listed & { number: number }>`
      select "number", "ids" from article_search_lists(${orgId}, ${queries}, ${limit})`.execute(db)
    return rows
  }
  const lists = expressions.map(
    ([, expression], index) => sql`select ${index + 1} as "number", ${listOf(expression, limit)} as "ids"`,
  )
  return (await sql<Listed & { number: number }>`${sql.join(lists, sql` union all `)}`.execute(db)).rows
}

/**
 * The IDs as a table to put first in a cross join: SQLite keeps the order of cross joins. PostgreSQL expects fewer rows of
 * an array than of a JSON function, and then looks them up in the index instead of reading a whole table.
 */
export const tableOf = (db: Pick<Db, 'getExecutor'>, ids: readonly number[]): RawBuilder<unknown> =>
  isSqlite(db)
    ? sql`json_each(${ids})`
    : sql`(select value from unnest(array(select value::bigint from jsonb_array_elements_text(${ids}))) as value)`
