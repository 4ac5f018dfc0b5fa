import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BareRoute, startBareServer } from '../support/bare.ts'
import { SqliteRows } from '../support/sqlite-rows.ts'

/** Inserts that are on disk, without a server. Returns how many there were per second. */
export function measureInserts(perCommit: number, seconds: number): number {
  using folder = new TemporaryFolder()
  const rows = new SqliteRows(folder.file)
  const startedAtMs = performance.now()
  let inserted = 0
  for (; performance.now() - startedAtMs < seconds * 1000; inserted += perCommit) rows.insert(perCommit)
  const perSecond = (inserted * 1000) / (performance.now() - startedAtMs)
  rows.close()
  return perSecond
}

/** Measures a bare server that commits one row for each request. */
export async function measureInsertingServer(
  route: BareRoute,
  measure: (port: number) => Promise<number>,
): Promise<number> {
  using folder = new TemporaryFolder()
  await using server = await startBareServer([{ ...route, insertsInto: folder.file }])
  return await measure(server.port)
}

class TemporaryFolder implements Disposable {
  readonly #path = mkdtempSync(join(tmpdir(), 'waymark-bench-'))
  readonly file = join(this.#path, 'bench.db');

  [Symbol.dispose](): void {
    rmSync(this.#path, { recursive: true })
  }
}
