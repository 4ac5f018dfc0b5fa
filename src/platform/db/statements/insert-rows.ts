import { CompiledQuery } from 'kysely'
import { isSqlite } from '../is-sqlite.ts'
import type { Database, Tables, Tx } from '../types.ts'
import { runWithoutResult, type ToFailure } from './run-without-result.ts'

/** The only parameter of a statement that runs once for each of these rows. */
export class EachOf {
  readonly rows: readonly (readonly unknown[])[]
  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows
  }
}

type Name = keyof Tables & string

/**
 * All columns of a table. They are declared instead of taken from the rows, because rows from a file of an older
 * release may lack a column: the statement still names it, and such a row gets null. A list that lacks a column does
 * not compile.
 */
type AllColumns<Table extends Name, Columns extends readonly (keyof Tables[Table])[]> = Columns &
  (Exclude<keyof Tables[Table], Columns[number]> extends never ? unknown : never)

/** Without an ending, an existing row is an error. `replace` becomes an ending that names all columns. */
type Ending = '' | 'on conflict do nothing' | 'on conflict do nothing returning "id"' | 'replace'

interface Kind {
  table: string
  columns: readonly string[]
  onSqlite: boolean
  isSingle: boolean
  ending: Ending
}

/** The keys are tables. One text for a single row and one for many, so that each is prepared only once. */
const statements = new Map<string, { kind: Kind; text: string }[]>()

/**
 * Inserts rows. SQLite is fastest with one small statement that runs once per row in the writer's thread, PostgreSQL with
 * one statement for all rows.
 */
export async function insertRows<Table extends Name, const Columns extends readonly (keyof Tables[Table])[]>(
  tx: Tx,
  table: Table,
  columns: AllColumns<Table, Columns>,
  rows: readonly Tables[Table][],
  toFailure?: ToFailure,
): Promise<void> {
  if (rows.length === 0) return
  const query = toQuery(tx, table, columns as readonly string[], rows, '')
  await runWithoutResult(tx, query, toFailure)
}

/** Skips rows that exist already. Returns the ids of the inserted ones. */
export async function insertMissingRows<Table extends Name, const Columns extends readonly (keyof Tables[Table])[]>(
  tx: Tx,
  table: Table,
  columns: AllColumns<Table, Columns>,
  rows: readonly Tables[Table][],
): Promise<string[]> {
  if (rows.length === 0) return []
  const query = toQuery(tx, table, columns as readonly string[], rows, 'on conflict do nothing returning "id"')
  const { rows: inserted } = await tx.executeQuery(query)
  return (inserted as { id: string }[]).map(({ id }) => id)
}

/** Inserts rows, and replaces those that exist already. Two rows must not have the same id. */
export async function upsertRows<
  Table extends Name & { [Key in Name]: Tables[Key] extends { id: string } ? Key : never }[Name],
  const Columns extends readonly (keyof Tables[Table])[],
>(tx: Tx, table: Table, columns: AllColumns<Table, Columns>, rows: readonly Tables[Table][]): Promise<void> {
  if (rows.length === 0) return
  await runWithoutResult(tx, toQuery(tx, table, columns as readonly string[], rows, 'replace'))
}

/** Does the same as `insertMissingRows` in a separate transaction: all rows or none. */
export async function insertMissingRowsAlone<
  Table extends Name,
  const Columns extends readonly (keyof Tables[Table])[],
>(
  database: Database,
  table: Table,
  columns: AllColumns<Table, Columns>,
  rows: readonly Tables[Table][],
): Promise<void> {
  if (rows.length === 0) return
  await database.writeAlone(
    toQuery(database.kysely, table, columns as readonly string[], rows, 'on conflict do nothing'),
  )
}

function toQuery(
  db: Pick<Tx, 'getExecutor'>,
  table: string,
  columns: readonly string[],
  rows: readonly object[],
  ending: Ending,
): CompiledQuery {
  const onSqlite = isSqlite(db)
  const toValues = (row: object) => columns.map((column) => (row as Record<string, unknown>)[column] ?? null)
  const [only] = rows
  const isSingle = rows.length === 1 && only !== undefined
  const text = statementFor({ table, columns, onSqlite, isSingle, ending })
  if (isSingle) return CompiledQuery.raw(text, toValues(only))
  return CompiledQuery.raw(text, [onSqlite ? new EachOf(rows.map(toValues)) : rows])
}

function statementFor(kind: Kind): string {
  const ofTable = statements.get(kind.table) ?? []
  // Comparing costs much less than building a key of all columns.
  const known = ofTable.find((one) => isSame(one.kind, kind))
  if (known !== undefined) return known.text
  const text = toText(kind)
  statements.set(kind.table, [...ofTable, { kind, text }])
  return text
}

const isSame = (one: Kind, other: Kind): boolean =>
  one.onSqlite === other.onSqlite &&
  one.isSingle === other.isSingle &&
  one.ending === other.ending &&
  one.columns.length === other.columns.length &&
  one.columns.every((column, n) => column === other.columns[n])

function toText({ table, columns, onSqlite, isSingle, ending }: Kind): string {
  const names = columns.map((column) => `"${column}"`).join(', ')
  const placeholders = columns.map((_, index) => (onSqlite ? '?' : `$${index + 1}`)).join(', ')
  const source =
    onSqlite || isSingle
      ? `values (${placeholders})`
      : `select ${names} from jsonb_populate_recordset(null::"${table}", $1)`
  return `insert into "${table}" (${names}) ${source} ${ending === 'replace' ? replacing(columns) : ending}`.trimEnd()
}

/** Never the organisation: a row cannot move to another one. */
const replacing = (columns: readonly string[]): string => {
  const set = columns.filter((column) => column !== 'id' && column !== 'org_id')
  return `on conflict ("id") do update set ${set.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`
}
