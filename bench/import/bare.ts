import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import pg from 'pg'

/** Where the import stores its rows. */
const TABLES = ['products', 'objects', 'qr_codes', 'key_values', 'scan_targets', 'events'] as const
const ROWS_PER_COMMIT = 1000

export interface Bare {
  rows: number
  seconds: number
}

/** Stores the rows of the import again, in tables that have a primary key and nothing else: no indexes, no triggers. */
export function insertBareIntoSqlite(dataDir: string): Bare {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
  const source = new DatabaseSync(join(dataDir, 'waymark.db'), { readOnly: true })
  const target = new DatabaseSync(join(folder, 'bare.db'))
  target.exec('pragma journal_mode = wal; pragma synchronous = full')
  const result = { rows: 0, seconds: 0 }
  for (const table of TABLES) {
    const rows = source.prepare(`select * from ${table}`).all()
    const columns = Object.keys(rows[0] ?? {})
    target.exec(`create table ${table} (${columns.join()}, primary key (id))`)
    const insert = target.prepare(`insert into ${table} values (${columns.map(() => '?').join()})`)
    const startedAtMs = performance.now()
    for (let from = 0; from < rows.length; from += ROWS_PER_COMMIT) {
      target.exec('begin immediate')
      for (const row of rows.slice(from, from + ROWS_PER_COMMIT)) insert.run(...(Object.values(row) as SQLInputValue[]))
      target.exec('commit')
    }
    result.seconds += (performance.now() - startedAtMs) / 1000
    result.rows += rows.length
  }
  source.close()
  target.close()
  rmSync(folder, { recursive: true })
  return result
}

export async function insertBareIntoPostgres(url: string): Promise<Bare> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const result = { rows: 0, seconds: 0 }
  for (const table of TABLES) {
    await client.query(`create table bare_${table} (like ${table}, primary key (id))`)
    const { rows } = await client.query<{ row: object }>(`select to_jsonb(${table}) as row from ${table}`)
    const startedAtMs = performance.now()
    for (let from = 0; from < rows.length; from += ROWS_PER_COMMIT) {
      const some = rows.slice(from, from + ROWS_PER_COMMIT).map(({ row }) => row)
      const insert = `insert into bare_${table} select * from jsonb_populate_recordset(null::bare_${table}, $1)`
      await client.query(insert, [JSON.stringify(some)])
    }
    result.seconds += (performance.now() - startedAtMs) / 1000
    result.rows += rows.length
  }
  await client.end()
  return result
}
