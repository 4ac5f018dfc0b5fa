import { sql } from 'kysely'
import { listTables } from '../db/dump/catalogue.ts'
import type { Database, Tables } from '../db/index.ts'
import type { Keyring } from './index.ts'

/** The columns of a table whose values `Keyring.seal` has made. */
export type SealedColumns = Readonly<Partial<Record<keyof Tables, readonly string[]>>>

/** Few, because others wait for the transaction, and a stored response can have a megabyte. */
const ROWS_MAX = 20

/**
 * Seals everything that is stored with the newest secret. Each batch is its own transaction, and a row is replaced only if it is
 * as it was read. So the service may run meanwhile, and after a crash the next call does what is left. A value that no secret
 * opens stays as it is.
 */
export async function resealStored(
  database: Database,
  keyring: Keyring,
  sealed: SealedColumns,
  nowMs: number,
  onProgress?: (table: string, values: number) => void,
): Promise<Resealed> {
  const tables = await listTables(database.readLong, database.engine, {})
  const done: Resealed = { values: 0, unreadable: 0 }
  for (const { name, key } of tables) {
    const columns = sealed[name as keyof Tables] ?? []
    let after: unknown[] | undefined
    while (columns.length > 0) {
      const rows = await selectRows(database, name, key, columns, after)
      const { values, unreadable } = await resealRows(database, keyring, { name, key, columns }, rows, nowMs)
      done.values += values
      done.unreadable += unreadable
      onProgress?.(name, done.values)
      const last = rows.at(-1)
      if (last === undefined) break
      after = key.map((column) => last[column])
    }
  }
  return done
}

interface Resealed {
  values: number
  unreadable: number
}

type SealedRow = Record<string, string | null>

async function selectRows(
  { readLong }: Database,
  table: string,
  key: readonly string[],
  columns: readonly string[],
  after: readonly unknown[] | undefined,
): Promise<SealedRow[]> {
  const keyColumns = sql.join(key.map((name) => sql.ref(name)))
  const where = after === undefined ? sql`` : sql`where (${keyColumns}) > (${sql.join(after)})`
  const { rows } = await sql<SealedRow>`
    select ${sql.join([...key, ...columns].map((name) => sql.ref(name)))} from ${sql.table(table)} ${where}
    order by ${keyColumns} limit ${ROWS_MAX}`.execute(readLong)
  return rows
}

async function resealRows(
  database: Database,
  keyring: Keyring,
  { name, key, columns }: { name: string; key: readonly string[]; columns: readonly string[] },
  rows: readonly SealedRow[],
  nowMs: number,
): Promise<Resealed> {
  const updates: { row: SealedRow; column: string; from: string; to: string }[] = []
  let unreadable = 0
  for (const row of rows) {
    for (const column of columns) {
      const from = row[column]
      if (typeof from !== 'string') continue
      try {
        const to = await keyring.reseal(from, database.readLong, nowMs)
        if (to !== undefined) updates.push({ row, column, from, to })
      } catch {
        unreadable++
      }
    }
  }
  if (updates.length === 0) return { values: 0, unreadable }
  await database.write(async (tx) => {
    for (const { row, column, from, to } of updates) {
      const isRow = sql.join(
        key.map((part) => sql`${sql.ref(part)} = ${row[part]}`),
        sql` and `,
      )
      await sql`update ${sql.table(name)} set ${sql.ref(column)} = ${to}
        where ${isRow} and ${sql.ref(column)} = ${from}`.execute(tx)
    }
  })
  return { values: updates.length, unreadable }
}
