import type { CursorPage, CursorQuery, OffsetPage, OffsetQuery, Position } from '../contract/pagination.ts'
import { type Db, selectTotal } from '../db/index.ts'
import type { Context } from './context.ts'

/** Up to this offset a page is read in microseconds. Beyond it, skipping rows takes noticeable time. */
const NEAR_OFFSET_MAX = 1000

interface OffsetSource<Row, Item> {
  /** The names of the maintained counters whose sum is the total of the unfiltered list. */
  totals: readonly string[]
  /** Counts a filtered list; undefined when there are no filters. */
  count: ((db: Db) => Promise<number>) | undefined
  rows: (db: Db, limit: number, offset: number) => Promise<Row[]>
  toItem: (row: Row) => Item
}

/** Returns one page of an offset list. Queries that may be slow use `readLong`, so that they do not block requests. */
export async function offsetPage<Row, Item>(
  ctx: Context,
  { page, page_size }: OffsetQuery,
  { totals, count, rows, toItem }: OffsetSource<Row, Item>,
): Promise<OffsetPage<Item>> {
  const offset = (page - 1) * page_size
  const total = count === undefined ? await selectTotal(ctx.read, ctx.orgId, ...totals) : await count(ctx.readLong)
  if (offset >= total) return { data: [], total }
  const db = offset > NEAR_OFFSET_MAX || count !== undefined ? ctx.readLong : ctx.read
  return { data: (await rows(db, page_size, offset)).map(toItem), total }
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

/** Returns one page of a cursor list. Reads one extra row to find out whether there is another page. */
export async function cursorPage<Row extends Position, Item>(
  { limit }: CursorQuery,
  rows: (limit: number) => Promise<Row[]>,
  toItem: (row: Row) => Item,
): Promise<CursorPage<Item>> {
  const found = await rows(limit + 1)
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const next = found.length > limit && last !== undefined ? { created_at: last.created_at, id: last.id } : null
  return { data: shown.map(toItem), next }
}
