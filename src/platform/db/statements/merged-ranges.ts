import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { OrgId } from '../../ids/index.ts'
import { isSqlite } from '../is-sqlite.ts'
import type { Tables } from '../tables.generated.ts'
import type { Db } from '../types.ts'
import { hasValue, inRange, type ListRange, limitsOf } from './filtered-list.ts'

/**
 * A page of a list whose columns may have several values: those that were asked for, or all that there are. Its rows are in
 * several ranges of one index on `org_id`, the columns, the order and `id`: one for each combination of values.
 */
export interface ListRanges extends Omit<ListRange, 'filters'> {
  orgId: OrgId
  filters: readonly Filter[]
  /** Columns that the index has behind `id`. All entries of the ranges may be read to find some with these values. */
  behind: readonly (readonly [column: string, value: string | boolean])[]
  /** Another condition, which is checked for each row. */
  check?: RawBuilder<SqlBool> | undefined
  limit: number
}

type FilterValue = string | boolean
/** Ids have their type, and come last. They may be null. */
type Filter = readonly [column: string, values: readonly (FilterValue | null)[], type?: 'uuid' | undefined]
/** The place of a row in the list. */
type Found = { found_id: string; found_at: string }
type Rows<Table extends keyof Tables> = SelectQueryBuilder<Tables & { found: Found }, Table | 'found', object>

/** SQLite reads so many ranges in about a millisecond. */
const FEW_RANGES_MAX = 10

/** Whether the ranges may be read on the main thread. */
export const areFewRanges = ({ filters }: Pick<ListRanges, 'filters'>): boolean =>
  filters.reduce((count, [, values]) => count * values.length, 1) <= FEW_RANGES_MAX

/** Selects the rows of a page in order. Reads at most a page of each range in the index, and of the table only its rows. */
export function inRanges<Name extends keyof Tables>(db: Db, name: Name, list: ListRanges): Rows<Name> {
  // Kysely cannot check statements on a table that is known only at run time.
  const table = name as 'submissions'
  const hasSeveral = list.filters.flatMap(([, values]) => values).length > 1
  return (hasSeveral ? merged(db, table, list) : eachRange(db, table, list)) as unknown as Rows<Name>
}

function merged(db: Db, table: 'submissions', list: ListRanges) {
  const { direction } = list.order
  const ranges = isSqlite(db)
    ? unionOf(db, table, list)
    : sql.join(
        withNullsApart(list).map((part) => allOf(db, table, part)),
        sql` union all `,
      )
  const found = sql<Found>`(${ranges} order by found_at ${sql.raw(direction)}, found_id ${sql.raw(direction)} limit ${list.limit})`
  // SQLite reads the tables of a cross join from left to right. With another condition on the organisation here, PostgreSQL
  // could read all its rows, and look for those of the page among them.
  return db
    .selectFrom(found.as('found'))
    .crossJoin(table)
    .where(sql<SqlBool>`${sql.ref(`${table}.id`)} = found_id`)
    .orderBy('found_at', direction)
    .orderBy('found_id', direction)
}

/** SQLite merges a union while it reads it: each range only as far as the page needs it. */
function unionOf(db: Db, table: string, list: ListRanges): RawBuilder<unknown> {
  const everywhere = [
    hasValue('org_id', list.orgId),
    ...limitsOf(db, { ...list, filters: [] }),
    ...checksOf(list, true),
  ]
  const combinations = list.filters.reduce<RawBuilder<SqlBool>[][]>(
    (some, [column, values]) => some.flatMap((one) => values.map((value) => [...one, hasValue(column, value)])),
    [[]],
  )
  const ranges = combinations.map((one) => {
    const conditions = sql.join([...everywhere, ...one], sql` and `)
    return sql`select id as found_id, ${sql.ref(list.order.column)} as found_at from ${sql.table(table)} where ${conditions}`
  })
  return sql.join(ranges, sql` union all `)
}

/** The rows with a null are not found by a join, so they are ranges of their own. */
function withNullsApart(list: ListRanges): ListRanges[] {
  const place = list.filters.findIndex(([, values]) => values.length > 1 && values.includes(null))
  const filter = list.filters[place]
  if (filter === undefined) return [list]
  const [column, values, type] = filter
  return [[null], values.filter((value) => value !== null)].map((some) => ({
    ...list,
    filters: list.filters.with(place, [column, some, type]),
  }))
}

/** PostgreSQL would make a plan for each range of a union. That takes longer than to read a page of each and to sort them. */
function allOf(db: Db, table: 'submissions', list: ListRanges): RawBuilder<unknown> {
  const values = list.filters.flatMap((filter) => (filter[1].length === 1 ? [] : [valuesOf(filter)]))
  const place = [sql.ref<string>('id').as('found_id'), sql.ref<string>(list.order.column).as('found_at')]
  const range = eachRange(db, table, list).select(place)
  return sql`select found_id, found_at from ${sql.join([...values, sql`lateral ${range} as each_range`])}`
}

function valuesOf([column, values, declared]: Filter): RawBuilder<unknown> {
  const type = sql.raw(declared ?? (typeof values[0] === 'boolean' ? 'boolean' : 'text'))
  return sql`(values ${sql.join(values.map((value) => sql`(${value}::${type})`))}) as ${sql.ref(`each_${column}`)} (value)`
}

/** A column with several values has one of `valuesOf`. */
function eachRange(db: Db, table: 'submissions', list: ListRanges) {
  const filters = list.filters.map(
    ([column, [value, ...others]]) =>
      [column, others.length === 0 ? (value as FilterValue | null) : sql.ref(`each_${column}.value`)] as const,
  )
  let rows = db.selectFrom(table).where('org_id', '=', list.orgId)
  for (const check of checksOf(list, isSqlite(db))) rows = rows.where(check)
  // The ends of a range of several columns would tell PostgreSQL little about how few rows it has. But it must not read the
  // index without one of the ids, and look for its rows there.
  const ids = list.filters.filter(([, , type]) => type === 'uuid')
  const equal = Math.max(0, filters.length - Math.max(1, ids.length))
  for (const [column, value] of filters.slice(0, equal)) rows = rows.where(hasValue(column, value))
  return inRange(db, rows, { ...list, filters: filters.slice(equal) }).limit(list.limit)
}

/** A plain `=` would let the database choose the index of another column instead, and read all rows with its value. */
function checksOf({ behind, check }: ListRanges, onSqlite: boolean): RawBuilder<SqlBool>[] {
  const checks = behind.map(([column, value]) =>
    onSqlite
      ? sql<SqlBool>`+${sql.ref(column)} = ${value}`
      : sql<SqlBool>`${sql.ref(column)} between ${value} and ${value}`,
  )
  return check === undefined ? checks : [...checks, check]
}
