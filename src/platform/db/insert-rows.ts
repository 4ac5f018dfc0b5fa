import { CompiledQuery } from 'kysely'
import { isSqlite } from './is-sqlite.ts'
import type { Database, Tables, Tx } from './types.ts'

/** The only parameter of a statement that is run once for each of these. */
export class EachOf {
  readonly rows: readonly (readonly unknown[])[]
  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows
  }
}

type Name = keyof Tables & string

/** What becomes of a row that is there already: it is a failure, or it is passed over. */
type Ending = '' | 'on conflict do nothing' | 'on conflict do nothing returning "id"'

/** One text for each table and set of columns, however many rows come at a time: texts are prepared once. */
const statements = new Map<string, string>()

/**
 * Inserts many rows at once. SQLite is quickest with one small statement run again and again beside the data;
 * PostgreSQL with one statement for all of them.
 */
export async function insertRows<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> {
  if (rows.length > 0) await tx.executeQuery(toQuery(tx, table, rows, ''))
}

/** The same for rows of which some may be there already; answers the ids of those that were not. */
export async function insertMissingRows<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<string[]> {
  if (rows.length === 0) return []
  const { rows: inserted } = await tx.executeQuery(toQuery(tx, table, rows, 'on conflict do nothing returning "id"'))
  return (inserted as { id: string }[]).map(({ id }) => id)
}

/** The same as a transaction of its own, all or none. */
export async function insertMissingRowsAlone<Table extends Name>(
  database: Database,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> {
  if (rows.length > 0) await database.writeAlone(toQuery(database.kysely, table, rows, 'on conflict do nothing'))
}

function toQuery<Table extends Name>(
  db: Pick<Tx, 'getExecutor'>,
  table: Table,
  rows: readonly Tables[Table][],
  ending: Ending,
): CompiledQuery {
  const columns = Object.keys(rows[0] as object)
  const onSqlite = isSqlite(db)
  const text = statementFor(table, columns, onSqlite, ending)
  const toValues = (row: unknown) => columns.map((column) => (row as Record<string, unknown>)[column])
  return CompiledQuery.raw(text, [onSqlite ? new EachOf(rows.map(toValues)) : rows])
}

function statementFor(table: string, columns: string[], onSqlite: boolean, ending: Ending): string {
  const key = `${onSqlite} ${table} ${columns.join()} ${ending}`
  let text = statements.get(key)
  if (text === undefined) {
    const names = columns.map((column) => `"${column}"`).join(', ')
    const source = onSqlite
      ? `values (${columns.map(() => '?').join(', ')})`
      : `select ${names} from jsonb_populate_recordset(null::"${table}", $1)`
    text = `insert into "${table}" (${names}) ${source} ${ending}`
    statements.set(key, text)
  }
  return text
}
