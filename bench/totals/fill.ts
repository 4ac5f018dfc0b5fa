import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { timestamp } from '../../src/platform/clock/index.ts'
import { newId } from '../../src/platform/ids/index.ts'

const BATCH_ROWS = 20_000
const FIRST_MS = Date.UTC(2026, 0, 1)

type TagRow = [id: string, orgId: string, name: string, nameFolded: string, createdAt: string]

/** A separate connection to the service's database, to fill tables and to time statements for comparison. */
export interface DirectDatabase extends AsyncDisposable {
  insertTags(rows: TagRow[]): Promise<void>
  /** Runs maintenance that the engine would otherwise run during the measurement. */
  settle(): Promise<void>
  countTags(orgId: string): Promise<number>
}

/** Inserts with the triggers on, so that the totals match. */
export async function fillTags(
  database: DirectDatabase,
  orgId: string,
  count: number,
  onProgress: (done: number) => void,
) {
  for (let done = 0; done < count; ) {
    const size = Math.min(BATCH_ROWS, count - done)
    await database.insertTags(Array.from({ length: size }, (_, index) => tagRow(orgId, done + index)))
    done += size
    onProgress(done)
  }
  await database.settle()
}

function tagRow(orgId: string, n: number): TagRow {
  const name = `Care instructions ${String(n).padStart(7, '0')}`
  return [newId(), orgId, name, name.toLowerCase(), timestamp(FIRST_MS + n)]
}

export function openSqliteFile(dataDir: string): DirectDatabase {
  const connection = new DatabaseSync(join(dataDir, 'waymark.db'), { timeout: 10_000 })
  // Safe only for benchmark data, which need not survive a power cut.
  connection.exec('pragma synchronous = off; pragma cache_size = -65536')
  const insert = connection.prepare(
    'insert into article_tags (id, org_id, name, name_folded, created_at) values (?, ?, ?, ?, ?)',
  )
  const count = connection.prepare('select count(*) as total from article_tags where org_id = ?')
  return {
    insertTags: async (rows) => {
      connection.exec('begin immediate')
      for (const row of rows) insert.run(...row)
      connection.exec('commit')
    },
    settle: async () => connection.exec('pragma wal_checkpoint(truncate)'),
    countTags: async (orgId) => Number(count.get(orgId)?.total),
    [Symbol.asyncDispose]: async () => connection.close(),
  }
}

export async function connectPostgres(url: string): Promise<DirectDatabase> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    insertTags: async (rows) => {
      const columns = [0, 1, 2, 3, 4].map((column) => rows.map((row) => row[column]))
      await client.query(
        `insert into article_tags (id, org_id, name, name_folded, created_at)
         select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::timestamptz[])`,
        columns,
      )
    },
    settle: async () => {
      await client.query('vacuum analyze article_tags')
      await client.query('checkpoint')
    },
    countTags: async (orgId) => {
      const { rows } = await client.query('select count(*) as total from article_tags where org_id = $1', [orgId])
      return Number(rows[0].total)
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
