import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/db/index.ts'
import type { DatabaseLocation } from '../../platform/db/open.ts'
import type { Statement } from '../harness.ts'

/** Returns the query plan of a statement, with PostgreSQL forced to use an index if it can. */
export function explain(database: Database, { sql, parameters }: Statement): Promise<string> {
  return database.kysely.connection().execute(async (db) => {
    const run = async (text: string, values: readonly unknown[] = []) =>
      (await db.executeQuery<Record<string, string>>(CompiledQuery.raw(text, [...values]))).rows
    if (database.engine === 'sqlite') {
      return (await run(`explain query plan ${sql}`, parameters)).map(({ detail }) => detail).join('\n')
    }
    // PostgreSQL scans and sorts a nearly empty table, even if it has a suitable index.
    await run('set enable_seqscan = off')
    await run('set enable_bitmapscan = off')
    await run('set enable_sort = off')
    await run('set enable_incremental_sort = off')
    try {
      return (await run(`explain ${sql}`, parameters)).map((row) => row['QUERY PLAN']).join('\n')
    } finally {
      await run('reset all')
      await run("set timezone = 'UTC'")
    }
  })
}

/** Returns the index that a plan reads first. A primary key is called `<table>_pkey`, as on PostgreSQL. */
export function firstIndex(plan: string): string | undefined {
  const [, keyTable, index] =
    /(\w+) USING PRIMARY KEY|USING (?:COVERING )?INDEX (\w+)/.exec(plan) ??
    /()Index (?:Only )?Scan (?:Backward )?using (\w+)/.exec(plan) ??
    []
  return keyTable ? `${keyTable}_pkey` : index?.replace(/^sqlite_autoindex_(\w+)_1$/, '$1_pkey')
}

/** Returns how much a statement reads: rows and index entries on SQLite, blocks on PostgreSQL. */
export async function readCost(
  { kysely }: Database,
  location: DatabaseLocation,
  { sql, parameters }: Statement,
): Promise<number> {
  if (!('file' in location)) {
    const text = `explain (analyze, buffers, format json) ${sql}`
    const { rows } = await kysely.executeQuery<Record<string, [{ Plan: Record<string, number> }]>>(
      CompiledQuery.raw(text, [...parameters]),
    )
    const [explained] = rows[0]?.['QUERY PLAN'] ?? []
    return (explained?.Plan['Shared Hit Blocks'] ?? 0) + (explained?.Plan['Shared Read Blocks'] ?? 0)
  }
  using reader = new DatabaseSync(location.file, { readOnly: true })
  let count = 0
  reader.function('is_counted', () => ++count && 1)
  reader.prepare(sql.replaceAll('where ', 'where is_counted() and ')).all(...(parameters as SQLInputValue[]))
  return count
}
