import { join } from 'node:path'
import { sql } from 'kysely'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { Db } from '../../src/platform/db/types.ts'
import { readJournals } from '../../src/platform/recording/index.ts'
import { eventually } from '../../src/testing/eventually.ts'

const PAGE = 20_000

export interface Audit {
  /** Scans in the database, without bots. */
  stored: number
  /** Acknowledged scans that are not in the database. */
  lost: number
  /** Scans that are in the database more than once. */
  twice: number
  /** Sum of the differences between the counter of each code and its rows. */
  drift: number
  /** Scans that are in the database although the response never arrived. */
  responseLost: number
}

/** Compares the responses with the database. Scan number n was of the code at index n modulo the number of codes. */
export async function auditScans(
  location: DatabaseLocation,
  codeIds: readonly string[],
  acknowledged: ReadonlySet<number>,
): Promise<Audit> {
  const database = await openDatabase(location)
  try {
    const countByNumber = new Map<number, number>()
    const rowsByCode = new Map<string, number>()
    let stored = 0
    for await (const { target_id, query_params } of scansByPeople(database.readLong)) {
      stored++
      rowsByCode.set(target_id, (rowsByCode.get(target_id) ?? 0) + 1)
      const number = Number((query_params as { n?: string } | null)?.n)
      if (codeIds[number % codeIds.length] === target_id)
        countByNumber.set(number, (countByNumber.get(number) ?? 0) + 1)
    }
    const { rows: totals } = await sql<{ target_id: string; counted_here: number }>`
      select t.target_id, cast(t.total_scans - coalesce(c.imported_scans, 0) as bigint) as counted_here
      from scan_totals t left join qr_codes c on c.id = t.target_id`.execute(database.readLong)
    return {
      stored,
      lost: [...acknowledged].filter((number) => !countByNumber.has(number)).length,
      twice: [...countByNumber.values()].filter((count) => count > 1).length,
      drift: totals.reduce((sum, row) => sum + Math.abs(row.counted_here - (rowsByCode.get(row.target_id) ?? 0)), 0),
      responseLost: [...countByNumber.keys()].filter((number) => !acknowledged.has(number)).length,
    }
  } finally {
    await database.close()
  }
}

async function* scansByPeople(db: Db) {
  for (let after = ''; ; ) {
    const rows = await db
      .selectFrom('scans')
      .select(['id', 'target_id', 'is_bot', 'query_params'])
      .$if(after !== '', (query) => query.where('id', '>', after))
      .orderBy('id')
      .limit(PAGE)
      .execute()
    yield* rows.filter(({ is_bot }) => !is_bot)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

/** Waits until nothing is left in files. Fails only if it stops becoming less. */
export async function journalDrained(dataDir: string): Promise<void> {
  for (let left = await bytesLeft(dataDir); left > 0; ) {
    const before = left
    left = await eventually(async () => {
      const now = await bytesLeft(dataDir)
      return now < before ? { now } : undefined
    }).then(({ now }) => now)
  }
}

async function bytesLeft(dataDir: string): Promise<number> {
  let bytes = 0
  for await (const texts of readJournals(join(dataDir, 'scans'), 'scans')) {
    bytes += texts.reduce((sum, { json }) => sum + json.length, 0)
  }
  return bytes
}
