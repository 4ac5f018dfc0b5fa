import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { isSqlite } from '../is-sqlite.ts'

export interface ListOrder<Column extends string = string> {
  column: Column
  direction: 'asc' | 'desc'
}

/** A page of a filtered list. Its rows are next to each other in an index on `org_id`, the filters, the order and `id`. */
export interface ListRange {
  /** Columns with the value that they must have. */
  filters: readonly (readonly [column: string, value: FilterValue | null])[]
  order: ListOrder
  /** Limits the column that the list is sorted by. `from` is inclusive, `to` exclusive. */
  from?: string | undefined
  to?: string | undefined
  /** The row after which the page begins. A cursor is valid for its own filters only, so the row is within all limits. */
  after?: { value: string | number; id: string } | undefined
}

/** The value of an expression must not be null. */
type FilterValue = string | boolean | RawBuilder<unknown>
type Value = readonly [column: string, value: FilterValue | number]
type Bound = readonly [operator: '<' | '<=' | '>' | '>=', values: readonly Value[]]

/**
 * Selects the rows of a page in the order of their index, so that no others are read, however deep the page is. Filters
 * are ranges: with `status = …`, PostgreSQL may read all rows of the organisation instead.
 */
export function inRange<Schema, Name extends keyof Schema, Row>(
  db: Parameters<typeof isSqlite>[0],
  list: SelectQueryBuilder<Schema, Name, Row>,
  range: ListRange,
): SelectQueryBuilder<Schema, Name, Row> {
  const { filters, order } = range
  let found = list
  for (const [column, value] of filters) if (value === null) found = found.where(hasValue(column, null))
  for (const limit of limitsOf(db, range)) found = found.where(limit)
  const columns = new Set([...filters.map(([column]) => column), order.column, 'id'])
  for (const column of columns) found = found.orderBy(sql.ref(column), order.direction)
  return found
}

export const hasValue = (column: string, value: FilterValue | null): RawBuilder<SqlBool> =>
  value === null ? sql<SqlBool>`${sql.ref(column)} is null` : sql<SqlBool>`${sql.ref(column)} = ${value}`

/** What the rows between the ends of a range fulfil. */
export const limitsOf = (db: Parameters<typeof isSqlite>[0], range: ListRange): RawBuilder<SqlBool>[] =>
  boundsOf(range, isSqlite(db)).map(toCondition)

function boundsOf({ filters, order, from, to, after }: ListRange, onSqlite: boolean): Bound[] {
  const given = filters.filter((filter): filter is [string, FilterValue] => filter[1] !== null)
  const bound = (operator: Bound[0], ...values: Value[]): Bound => [operator, [...given, ...values]]
  let first = from === undefined ? undefined : bound('>=', [order.column, from])
  let last = to === undefined ? undefined : bound('<', [order.column, to])
  if (after !== undefined) {
    const value: Value[] = order.column === 'id' ? [] : [[order.column, after.value]]
    const place: Value[] = [...value, ['id', after.id]]
    if (order.direction === 'asc') first = bound('>', ...place)
    else last = bound('<', ...place)
  }
  // SQLite seeks by one comparison for each end and checks every row for others.
  if (onSqlite) return [first ?? bound('>='), last ?? bound('<=')].filter(([, values]) => values.length > 0)
  // PostgreSQL takes a comparison of rows for one that a third of them pass. Those of each filter tell it how few there are. It
  // would begin with one at the end where a later page begins, and read all rows before the page.
  const operators = (['>=', '<='] as const).filter(
    (operator) => after === undefined || operator !== (order.direction === 'asc' ? '>=' : '<='),
  )
  const ofFilters = given.flatMap((value) => operators.map((operator): Bound => [operator, [value]]))
  return [...ofFilters, first, last].filter((one) => one !== undefined)
}

function toCondition([operator, values]: Bound): RawBuilder<SqlBool> {
  const columns = sql.join(values.map(([column]) => sql.ref(column)))
  const compared = sql.join(values.map(([, value]) => value))
  return values.length === 1
    ? sql<SqlBool>`${columns} ${sql.raw(operator)} ${compared}`
    : sql<SqlBool>`(${columns}) ${sql.raw(operator)} (${compared})`
}
