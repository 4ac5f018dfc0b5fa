import { CompiledQuery, SqliteAdapter } from 'kysely'
import type { Tables, Tx } from './types.ts'

/** The only parameter of a statement that is run once for each of these. */
export class EachOf {
  readonly rows: readonly (readonly unknown[])[]
  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows
  }
}

/** One text for each table and set of columns, however many rows come at a time: texts are prepared once. */
const statements = new Map<string, string>()

/**
 * Inserts many rows at once, and answers the ids of those that were not there before. SQLite is quickest with
 * one small statement run again and again beside the data; PostgreSQL with one statement for all of them.
 */
export async function insertRows<Name extends keyof Tables & string>(
  tx: Tx,
  table: Name,
  rows: readonly Tables[Name][],
): Promise<string[]> {
  const [first] = rows
  if (first === undefined) return []
  const columns = Object.keys(first as object)
  const isSqlite = tx.getExecutor().adapter instanceof SqliteAdapter
  const text = statementFor(table, columns, isSqlite)
  const parameter = isSqlite
    ? new EachOf(rows.map((row) => columns.map((column) => (row as unknown as Record<string, unknown>)[column])))
    : rows
  const { rows: inserted } = await tx.executeQuery(CompiledQuery.raw(text, [parameter]))
  return (inserted as { id: string }[]).map(({ id }) => id)
}

function statementFor(table: string, columns: string[], isSqlite: boolean): string {
  const key = `${isSqlite} ${table} ${columns.join()}`
  let text = statements.get(key)
  if (text === undefined) {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const source = isSqlite
      ? `values (${columns.map(() => '?').join(', ')})`
      : `select ${names} from jsonb_populate_recordset(null::"${table}", $1)`
    text = `insert into "${table}" (${names}) ${source} on conflict do nothing returning "id"`
    statements.set(key, text)
  }
  return text
}
