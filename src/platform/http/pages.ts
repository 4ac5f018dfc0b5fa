import type { CursorPage, CursorQuery, OffsetPage, OffsetQuery, Position } from '../contract/pagination.ts'
import { type Db, selectTotal } from '../db/index.ts'
import type { Context } from './context.ts'

/** Up to here a page is read in microseconds; beyond it the rows that are passed over take time. */
const NEAR_OFFSET_MAX = 1000

interface OffsetSource<Row, Item> {
  /** Under which names its rows are counted as they come and go: the total of a list without further filters. */
  totals: readonly string[]
  /** The total of a list with filters; left out when there are none. */
  count: ((db: Db) => Promise<number>) | undefined
  rows: (db: Db, limit: number, offset: number) => Promise<Row[]>
  toItem: (row: Row) => Item
}

/** One page of a catalogue. Whatever may take long is read beside the thread that answers requests. */
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

/** One page of a list that is short enough to be read whole. */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  { page, page_size }: OffsetQuery,
  toItem: (row: Row) => Item,
): OffsetPage<Item> => ({
  data: rows.slice((page - 1) * page_size, page * page_size).map(toItem),
  total: rows.length,
})

/** One page of a stream: one row more than asked for tells whether there is another page. */
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
