import { CompiledQuery, sql } from 'kysely'
import { isPlanning, isSqlite, pauseIn } from '../is-sqlite.ts'
import type { Tables } from '../tables.generated.ts'
import type { Database, Tx } from '../types.ts'
import { batchesOf } from './batches.ts'
import { EachOf } from './each-of.ts'
import { runWithoutResult, type ToFailure } from './run-without-result.ts'
import { columnsOf } from './table-columns.ts'

type Name = keyof Tables & string

/** Without an ending, an existing row is an error. `replace` stands for one that names all columns. */
type Ending = '' | 'on conflict do nothing' | 'on conflict do nothing returning "id"' | 'replace'

interface Kind {
  table: Name
  onSqlite: boolean
  isSingle: boolean
  ending: Ending
}

/** The statements of each table. One text for a single row and one for many, so that each is prepared only once. */
const statements = new Map<Name, { kind: Kind; text: string }[]>()

/**
 * Inserts rows. SQLite is fastest with one small statement that runs once per row in the writer's thread, PostgreSQL with
 * one statement for all rows. Statements name all columns: rows from a file of an older release may lack one, and get
 * null there.
 */
export async function insertRows<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
  toFailure?: ToFailure,
): Promise<void> {
  for (const part of partsFor(tx, rows)) {
    await runWithoutResult(tx, toQuery(tx, table, part, ''), toFailure)
    if (part.length < rows.length) await pauseIn(tx)
  }
}

/** To serialise more rows for PostgreSQL at once takes milliseconds. SQLite gets them as they are. */
const PART_MAX = 200

const partsFor = <Row>(tx: Tx, rows: readonly Row[]): (readonly Row[])[] =>
  isSqlite(tx) && rows.length > 0 ? [rows] : batchesOf(rows, PART_MAX)

/** Skips rows that exist already. Returns the ids of the inserted ones. */
export async function insertMissingRows<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<string[]> {
  if (rows.length === 0) return []
  if (isPlanning(tx)) return insertUnknownRows(tx, table, rows)
  const { rows: inserted } = await tx.executeQuery(toQuery(tx, table, rows, 'on conflict do nothing returning "id"'))
  return (inserted as { id: string }[]).map(({ id }) => id)
}

/**
 * The same for a transaction that is planned: it finds out which rows exist, and inserts the others later. If one exists by
 * then, its constraint refuses the plan. Runs once for all rows, so that it is part of the commit.
 */
async function insertUnknownRows<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<string[]> {
  const unknown = await selectUnknown(tx, table, rows)
  const columns: readonly string[] = columnsOf(table)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const values = sql.join(columns.map((_, index) => sql`value ->> ${sql.lit(index)}`))
  const json = JSON.stringify([...unknown.values()].map((row) => columns.map((column) => toValue(row, column))))
  await runWithoutResult(tx, sql`insert into ${sql.table(table)} (${names}) select ${values} from json_each(${json})`)
  return [...unknown.keys()]
}

/** The rows that do not exist yet, by their ids. */
async function selectUnknown<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<Map<string, Tables[Table]>> {
  const byId = new Map(rows.map((row) => [(row as { id: string }).id, row]))
  const known = await tx
    .selectFrom(table as 'scan_targets')
    .select('id')
    .where('id', 'in', [...byId.keys()])
    .execute()
  for (const { id } of known) byId.delete(id)
  return byId
}

/** Each is somewhere else in its index, because its name was drawn at random: up to 5 ms. */
const DRAWN = { isAhead: true, rowsMax: 125 }

/**
 * Inserts rows under names that were drawn at random. Skips rows that exist already, and returns the ids of the others. A
 * large transaction writes them before it is committed, so after a crash, some may stay that belong to nothing.
 */
export async function insertDrawnRows<Table extends Name>(
  tx: Tx,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<string[]> {
  if (!isPlanning(tx)) return insertMissingRows(tx, table, rows)
  const unknown = await selectUnknown(tx, table, rows)
  if (unknown.size === 0) return []
  const columns: readonly string[] = columnsOf(table)
  const each = new EachOf(
    [...unknown.values()].map((row) => columns.map((column) => toValue(row, column))),
    DRAWN,
  )
  await runWithoutResult(
    tx,
    CompiledQuery.raw(statementFor({ table, onSqlite: true, isSingle: false, ending: '' }), [each]),
  )
  return [...unknown.keys()]
}

/** Inserts rows, and replaces those that exist already. Two rows must not have the same id. */
export async function upsertRows<
  Table extends Name & { [Key in Name]: Tables[Key] extends { id: string } ? Key : never }[Name],
>(tx: Tx, table: Table, rows: readonly Tables[Table][]): Promise<void> {
  if (rows.length === 0) return
  await runWithoutResult(tx, toQuery(tx, table, rows, 'replace'))
}

/** Like `insertMissingRows`, as a separate transaction: all rows or none. */
export async function insertMissingRowsAlone<Table extends Name>(
  database: Database,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> {
  if (rows.length === 0) return
  await database.writeAlone(toQuery(database.kysely, table, rows, 'on conflict do nothing'))
}

function toQuery(db: Pick<Tx, 'getExecutor'>, table: Name, rows: readonly object[], ending: Ending): CompiledQuery {
  const onSqlite = isSqlite(db)
  const columns: readonly string[] = columnsOf(table)
  const toValues = (row: object) => columns.map((column) => toValue(row, column))
  const [only] = rows
  const isSingle = rows.length === 1 && only !== undefined
  const text = statementFor({ table, onSqlite, isSingle, ending })
  if (isSingle) return CompiledQuery.raw(text, toValues(only))
  return CompiledQuery.raw(text, [onSqlite ? new EachOf(rows.map(toValues)) : rows])
}

const toValue = (row: object, column: string): unknown => (row as Record<string, unknown>)[column] ?? null

function statementFor(kind: Kind): string {
  const ofTable = statements.get(kind.table) ?? []
  const known = ofTable.find((one) => isSame(one.kind, kind))
  if (known !== undefined) return known.text
  const text = toText(kind)
  statements.set(kind.table, [...ofTable, { kind, text }])
  return text
}

const isSame = (one: Kind, other: Kind): boolean =>
  one.onSqlite === other.onSqlite && one.isSingle === other.isSingle && one.ending === other.ending

function toText({ table, onSqlite, isSingle, ending }: Kind): string {
  const columns = columnsOf(table)
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
