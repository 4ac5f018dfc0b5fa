import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** About as long as the rows that a small POST writes. */
const TEXT = 'x'.repeat(600)

/** The limit of a POST on SQLite: inserts that are on disk, without a server. Returns how many there were per second. */
export function measureInserts(perCommit: number, seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
  const database = new DatabaseSync(join(folder, 'bench.db'))
  try {
    database.exec('pragma journal_mode = wal; pragma synchronous = full')
    database.exec('create table rows (id integer primary key, text text not null)')
    const insert = database.prepare('insert into rows (text) values (?)')
    const startedAtMs = performance.now()
    let inserted = 0
    while (performance.now() - startedAtMs < seconds * 1000) {
      database.exec('begin immediate')
      for (let n = 0; n < perCommit; n++) insert.run(TEXT)
      database.exec('commit')
      inserted += perCommit
    }
    return (inserted * 1000) / (performance.now() - startedAtMs)
  } finally {
    database.close()
    rmSync(folder, { recursive: true })
  }
}
