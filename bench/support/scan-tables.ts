import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../src/platform/db/index.ts'
import { openDatabase } from '../../src/platform/db/open.ts'
import { firstIdAt, type OrgId } from '../../src/platform/ids/index.ts'
import { fillScans, type Popular } from './fill-scans.ts'
import { credentials, type RunningService } from './service.ts'

const CODES_PER_REQUEST = 1000

export interface Code {
  id: string
  public_slug: string
}

/** `more` are fields that all of them have. */
export async function createCodes({ port, first }: RunningService, count: number, more: object = {}): Promise<Code[]> {
  const codes: Code[] = []
  while (codes.length < count) {
    const response = await fetch(`http://127.0.0.1:${port}/v1/qr-codes/batch`, {
      method: 'POST',
      headers: { ...credentials(first), 'content-type': 'application/json' },
      body: JSON.stringify({
        count: Math.min(CODES_PER_REQUEST, count - codes.length),
        name_prefix: 'Chair',
        destination: { type: 'url', url: 'https://acme.com/chairs/oak?utm_source=label' },
        ...more,
      }),
    })
    if (!response.ok) throw new Error(`creating codes returned ${response.status}: ${await response.text()}`)
    codes.push(...((await response.json()) as { data: Code[] }).data)
  }
  return codes
}

export const pathsOf = (codes: readonly Code[]): string[] => codes.map(({ public_slug }) => `/${public_slug}`)

/** Access to the tables of a service over a separate connection. */
export class ScanTables implements AsyncDisposable {
  readonly #database: Database
  readonly #databaseUrl: string | undefined

  private constructor(database: Database, databaseUrl: string | undefined) {
    this.#database = database
    this.#databaseUrl = databaseUrl
  }

  static async open({ dataDir }: RunningService, databaseUrl?: string): Promise<ScanTables> {
    const location = databaseUrl === undefined ? { file: join(dataDir, 'waymark.db') } : { url: databaseUrl }
    return new ScanTables(await openDatabase(location), databaseUrl)
  }

  async fill(orgId: OrgId, rows: number, popular?: Popular): Promise<void> {
    if (this.#databaseUrl === undefined) return fillScans(this.#database.kysely, true, orgId, rows, popular)
    // This pool has none of the timeouts of the service.
    const pool = new pg.Pool({ connectionString: this.#databaseUrl, max: 1 })
    await using kysely = new Kysely({ dialect: new PostgresDialect({ pool }) })
    await fillScans(kysely, false, orgId, rows, popular)
  }

  /** Returns the number of stored scans and the sum of all scan counters. */
  async count(): Promise<{ rows: number; counted: number }> {
    const { rows } = await sql<{ rows: number; counted: number }>`
      select (select count(*) from scans) as rows, (select sum(total_scans) from scan_totals) as counted`.execute(
      this.#database.kysely,
    )
    return { rows: Number(rows[0]?.rows), counted: Number(rows[0]?.counted) }
  }

  /** Times the query of a first page without the service around it. Returns the fastest of many runs. */
  async timePage(orgId: OrgId, codeId: string | undefined, limit: number): Promise<number> {
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 200; round++) {
      const startedAt = performance.now()
      const query = this.#database.read.selectFrom('scans').selectAll().where('org_id', '=', orgId).limit(limit)
      // The same range of an index as in the service.
      await (codeId === undefined
        ? query.orderBy('id', 'desc')
        : query
            .where(sql<boolean>`(target_id, id) >= (${codeId}, ${firstIdAt(0)})`)
            .where(sql<boolean>`(target_id, id) < (${codeId}, ${firstIdAt(Number.MAX_SAFE_INTEGER)})`)
            .orderBy('target_id', 'desc')
            .orderBy('id', 'desc')
      ).execute()
      best = Math.min(best, performance.now() - startedAt)
    }
    return best
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#database.close()
  }
}
