import { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/db/index.ts'
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
