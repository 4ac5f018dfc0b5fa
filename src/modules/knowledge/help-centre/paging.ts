import { isSlug } from './address.ts'
import type { Anchor, Direction } from './queries.ts'

/** Slugs of what stands on the page before, or on the page after; a list is read on from there. */
export interface Position {
  after?: string | undefined
  before?: string | undefined
}

export interface Page<Item> {
  items: Item[]
  /** Before which item the page before ends. */
  previous: string | undefined
  /** After which item the next page begins. */
  next: string | undefined
}

/** Sorts before every id. */
export const NO_ID = '00000000-0000-0000-0000-000000000000'

interface Source<Row> {
  /** Before the first row of all. */
  start: Anchor
  find: (slug: string) => Promise<Anchor | undefined>
  rows: (direction: Direction, anchor: Anchor, limit: number) => Promise<Row[]>
}

/**
 * However far down a list, a page takes the same time: it is read from a row on, rather than by passing over rows. One
 * row more than is shown tells whether there is another page. A position that is not there any more is the beginning.
 */
export async function readPage<Row extends { slug: string }, Item>(
  { after, before }: Position,
  size: number,
  { start, find, rows }: Source<Row>,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const slug = after ?? before
  const anchor = slug !== undefined && isSlug(slug) ? await find(slug) : undefined
  const direction = anchor === undefined || after !== undefined ? 'after' : 'before'
  const found = await rows(direction, anchor ?? start, size + 1)
  const shown = found.slice(0, size)
  if (direction === 'before') shown.reverse()
  const hasMore = found.length > size
  const hasBefore = direction === 'before' ? hasMore : anchor !== undefined
  const hasAfter = direction === 'before' || hasMore
  return {
    items: shown.map(toItem),
    previous: hasBefore ? shown[0]?.slug : undefined,
    next: hasAfter ? shown.at(-1)?.slug : undefined,
  }
}
