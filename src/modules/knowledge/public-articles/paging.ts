import { isSlug } from './address.ts'
import type { Anchor, PageDirection } from './queries.ts'

/** The slug after which, or before which, a page of a list begins. */
export interface SlugPosition {
  after?: string | undefined
  before?: string | undefined
}

export interface ItemPage<Item> {
  items: Item[]
  /** `before` of the previous page. */
  previous: string | undefined
  /** `after` of the next page. */
  next: string | undefined
}

/** Sorts before every id. */
export const NO_ID = '00000000-0000-0000-0000-000000000000'

interface Source<Row> {
  /** Sorts before the first row. */
  start: Anchor
  find: (slug: string) => Promise<Anchor | undefined>
  rows: (direction: PageDirection, anchor: Anchor, limit: number) => Promise<Row[]>
}

/**
 * Reads a page from its anchor row instead of an offset, so that every page takes the same time. Reads one row more
 * than it shows, to know whether there is another page. Starts at the beginning if the anchor no longer exists.
 */
export async function readPage<Row extends { slug: string }, Item>(
  { after, before }: SlugPosition,
  size: number,
  { start, find, rows }: Source<Row>,
  toItem: (row: Row) => Item,
): Promise<ItemPage<Item>> {
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
