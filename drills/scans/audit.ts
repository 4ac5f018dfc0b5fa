import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseLocation, openDatabase } from '../../src/platform/db/open.ts'
import type { Db } from '../../src/platform/db/types.ts'
import { eventually } from '../../src/testing/eventually.ts'

const PAGE = 20_000

export interface Audit {
  /** People's scans that the database holds. */
  stored: number
  /** Acknowledged scans that it does not hold. */
  lost: number
  /** Scans that it holds more than once. */
  twice: number
  /** By how much the codes' counters differ from their rows, altogether. */
  drift: number
  /** Scans that it holds although nobody was told: the answer was cut off. */
  answerLost: number
}

/** Compares what the phones were told with what the database holds. Scan number n was of code n, counted around. */
export async function auditScans(
  location: DatabaseLocation,
  codeIds: readonly string[],
  acknowledged: ReadonlySet<number>,
): Promise<Audit> {
  const database = await openDatabase(location)
  try {
    const times = new Map<number, number>()
    const rowsOf = new Map<string, number>()
    let stored = 0
    for await (const { target_id, query_params } of peoplesScans(database.readLong)) {
      stored++
      rowsOf.set(target_id, (rowsOf.get(target_id) ?? 0) + 1)
      const number = Number((query_params as { n?: string } | null)?.n)
      if (codeIds[number % codeIds.length] === target_id) times.set(number, (times.get(number) ?? 0) + 1)
    }
    const totals = await database.readLong.selectFrom('scan_totals').select(['target_id', 'total_scans']).execute()
    return {
      stored,
      lost: [...acknowledged].filter((number) => !times.has(number)).length,
      twice: [...times.values()].filter((count) => count > 1).length,
      drift: totals.reduce((sum, row) => sum + Math.abs(row.total_scans - (rowsOf.get(row.target_id) ?? 0)), 0),
      answerLost: [...times.keys()].filter((number) => !acknowledged.has(number)).length,
    }
  } finally {
    await database.close()
  }
}

async function* peoplesScans(db: Db) {
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

/** When nothing is left of any process's journal. It may be long; only standing still is too long. */
export async function journalDrained(dataDir: string): Promise<void> {
  for (let left = segments(dataDir); left > 0; ) {
    const before = left
    left = await eventually(() => {
      const now = segments(dataDir)
      return now < before && now
    })
  }
}

function segments(dataDir: string): number {
  try {
    const names = readdirSync(join(dataDir, 'scans'), { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.scans')).length
  } catch {
    // A folder was emptied and deleted while it was being read.
    return Number.POSITIVE_INFINITY
  }
}
