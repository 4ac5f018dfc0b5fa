import { join } from 'node:path'
import { sql } from 'kysely'
import { type StoredScan, storeScans } from '../../src/modules/scans/index.ts'
import { DAY_MS, timestamp } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/db/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { newIdAt } from '../../src/platform/ids.ts'
import { PHONE_HEADERS } from './scan-load.ts'
import { credentials, type RunningService } from './service.ts'

const CODES_PER_REQUEST = 1000
const ROWS_PER_BATCH = 5000
const HISTORY_DAYS = 90

export interface Code {
  id: string
  public_slug: string
}

export async function createCodes({ port, first }: RunningService, count: number): Promise<Code[]> {
  const codes: Code[] = []
  while (codes.length < count) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/qr-codes/batch`, {
      method: 'POST',
      headers: { ...credentials(first), 'content-type': 'application/json' },
      body: JSON.stringify({
        count: Math.min(CODES_PER_REQUEST, count - codes.length),
        name_prefix: 'Chair',
        destination: { type: 'url', url: 'https://acme.com/chairs/oak?utm_source=label' },
      }),
    })
    if (!response.ok) throw new Error(`creating codes answered ${response.status}: ${await response.text()}`)
    codes.push(...((await response.json()) as { data: Code[] }).data)
  }
  return codes
}

/** The tables of a service, over a connection of the bench's own. */
export class ScanTables implements AsyncDisposable {
  readonly #database: Database

  private constructor(database: Database) {
    this.#database = database
  }

  static async open({ dataDir }: RunningService, databaseUrl?: string): Promise<ScanTables> {
    const location = databaseUrl === undefined ? { file: join(dataDir, 'waymark.db') } : { url: databaseUrl }
    return new ScanTables(await openDatabase(location))
  }

  /** Scans of the last months, through the table with its triggers on: the counters must come out right. */
  async fill(orgId: string, codes: readonly Code[], rows: number): Promise<void> {
    const nowMs = Date.now()
    const startMs = nowMs - HISTORY_DAYS * DAY_MS
    for (let done = 0; done < rows; ) {
      const size = Math.min(ROWS_PER_BATCH, rows - done)
      const scans = Array.from({ length: size }, (_, index) => {
        const code = codes[Math.floor(Math.random() * codes.length)] as Code
        const ms = Math.floor(startMs + ((nowMs - startMs) * (done + index)) / rows)
        return { row: pastScan(orgId, code.id, ms), announced: false }
      })
      await storeScans(this.#database, scans, timestamp(nowMs))
      done += size
    }
    // What the engine does by itself in time, and what the measurement should not wait for.
    const settle =
      this.#database.engine === 'sqlite' ? ['pragma wal_checkpoint(truncate)'] : ['vacuum analyze', 'checkpoint']
    for (const statement of settle) await sql.raw(statement).execute(this.#database.kysely)
  }

  /** How many scans are stored, and how many the counters of the codes say. */
  async count(): Promise<{ rows: number; counted: number }> {
    const { rows } = await sql<{ rows: number; counted: number }>`
      select (select count(*) from scans) as rows, (select sum(total_scans) from scan_totals) as counted`.execute(
      this.#database.kysely,
    )
    return { rows: Number(rows[0]?.rows), counted: Number(rows[0]?.counted) }
  }

  /** The time of the engine's own first page, without the service around it. The shortest of many. */
  async timePage(orgId: string, codeId: string | undefined, limit: number): Promise<number> {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 200; round++) {
      const startedAt = performance.now()
      const query = this.#database.read.selectFrom('scans').selectAll().where('org_id', '=', orgId)
      await (codeId === undefined ? query : query.where('target_id', '=', codeId))
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      best = Math.min(best, performance.now() - startedAt)
    }
    return best
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.close()
  }
}

const pastScan = (orgId: string, codeId: string, ms: number): StoredScan => ({
  org_id: orgId,
  id: newIdAt(ms),
  target_kind: 'qr_code',
  target_id: codeId,
  scanned_at: timestamp(ms),
  is_bot: false,
  visitor: ms.toString(16).padStart(16, '0'),
  user_agent: PHONE_HEADERS['User-Agent'],
  device_type: 'mobile',
  device_os: 'iOS',
  device_browser: 'Safari',
  destination_type: 'url',
  destination_id: null,
  destination_url: 'https://acme.com/chairs/oak?utm_source=label',
  query_params: null,
  country: null,
  region: null,
  city: null,
  gs1: null,
  referrer: null,
})
