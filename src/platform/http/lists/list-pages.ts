import type { CursorPage, CursorQuery, OffsetPage, OffsetQuery, Position } from '../../contract/pagination.ts'
import { type Db, selectTotal } from '../../db/index.ts'
import { invalidQuery } from '../../errors/index.ts'
import type { Context } from '../pipeline/context.ts'

/** Up to this offset a page is read in microseconds. Beyond it, skipping rows takes noticeable time. */
const NEAR_OFFSET_MAX = 1000

/** A page of a cursor list ends early when its long fields reach this, so that no response blocks others for long. */
const CURSOR_PAGE_BYTES_MAX = 1024 * 1024
/** A page of an offset list cannot end early: its number says which rows it has. A larger one is refused. */
const OFFSET_PAGE_BYTES_MAX = 4 * 1024 * 1024

interface OffsetSource<Row, Item> {
  /** The names of the maintained counters whose sum is the total of the unfiltered list. */
  totals: readonly string[]
  /** Counts a filtered list; undefined when there are no filters. */
  count: ((db: Db) => Promise<number>) | undefined
  /** Whether the first page may have to skip many rows, too. That of a counted list always may. */
  skipsRows?: boolean
  rows: (db: Db, limit: number, offset: number) => Promise<Row[]>
  toItem: (row: Row) => Item
}

/** Returns one page of an offset list. Queries that may be slow use `readLong`, so that they do not block requests. */
export async function offsetPage<Row, Item>(
  ctx: Context,
  { page, page_size }: OffsetQuery,
  { totals, count, skipsRows, rows, toItem }: OffsetSource<Row, Item>,
): Promise<OffsetPage<Item>> {
  const offset = (page - 1) * page_size
  const total = count === undefined ? await selectTotal(ctx.read, ctx.orgId, ...totals) : await count(ctx.readLong)
  if (offset >= total) return { data: [], total }
  const isLong = count !== undefined || skipsRows || offset > NEAR_OFFSET_MAX
  return { data: (await rows(isLong ? ctx.readLong : ctx.read, page_size, offset)).map(toItem), total }
}

/** Returns one page of a list that is short enough to be read completely. */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  { page, page_size }: OffsetQuery,
  toItem: (row: Row) => Item,
): OffsetPage<Item> => ({
  data: rows.slice((page - 1) * page_size, page * page_size).map(toItem),
  total: rows.length,
})

/** The size of the long fields of a row. */
export interface RowSize {
  bytes: number
}

/** Throws 400 if the long fields of a page are too large for one response. Call it before reading them. */
export function requireModestPage(sizes: readonly RowSize[]): void {
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= OFFSET_PAGE_BYTES_MAX) return
  throw invalidQuery({ page_size: ['Must be smaller, because these items have more than 4 MiB of text'] })
}

/**
 * Returns one page of a cursor list. Reads one extra row to find out whether there is another page. A list whose rows
 * can be long also provides their `sizes`, which are read first.
 */
export async function cursorPage<Row extends Position, Item>(
  { limit }: CursorQuery,
  rows: (limit: number) => Promise<Row[]>,
  toItem: (row: Row) => Item,
  sizes?: (limit: number) => Promise<readonly RowSize[]>,
): Promise<CursorPage<Item>> {
  const size = sizes === undefined ? limit : countFitting(await sizes(limit))
  const found = await rows(size + 1)
  const shown = found.slice(0, size)
  const last = shown.at(-1)
  const next = found.length > size && last !== undefined ? { created_at: last.created_at, id: last.id } : null
  return { data: shown.map(toItem), next }
}

/** A page always has one row, so that the next page starts after it. */
function countFitting(sizes: readonly RowSize[]): number {
  let sum = 0
  const tooMany = sizes.findIndex(({ bytes }) => {
    sum += bytes
    return sum > CURSOR_PAGE_BYTES_MAX
  })
  return Math.max(1, tooMany === -1 ? sizes.length : tooMany)
}
