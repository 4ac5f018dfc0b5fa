import { runForEach, type Tx } from '../../../platform/db/index.ts'

export interface Replayed {
  updated: number
  /** Whether there are more of them than were updated. */
  hasMore: boolean
}

/** Read at a time, because the main thread reads them. */
const PAGE_ROWS = 1000

/** Written at a time: each is in up to eight indexes, so these take up to 8 ms. */
const PIECE_ROWS = 100

/**
 * Updates deliveries one by one, up to `limit`. Only on SQLite, which divides a statement that runs for each of many rows, so
 * that nobody waits for all of them. `select` returns as many as are asked for, beginning with this one, and the statement
 * says again which deliveries it is for: it may run later.
 */
export async function updateEach<Row>(
  tx: Tx,
  limit: number,
  select: (from: Row | undefined, count: number) => Promise<Row[]>,
  statement: string,
  toValues: (row: Row) => unknown[],
): Promise<Replayed> {
  let next: Row | undefined
  let updated = 0
  do {
    const count = Math.min(PAGE_ROWS, limit - updated)
    const rows = await select(next, count + 1)
    next = rows[count]
    const page = rows.slice(0, count)
    await runForEach(tx, statement, page.map(toValues), { rowsMax: PIECE_ROWS })
    updated += page.length
  } while (next !== undefined && updated < limit)
  return { updated, hasMore: next !== undefined }
}
