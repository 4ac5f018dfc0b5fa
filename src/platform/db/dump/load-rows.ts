import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { OperatorError } from '../../errors/operator-error.ts'
import { Keyring } from '../../keyring/index.ts'
import type { Database, Tx } from '../types.ts'
import { type DumpColumn, type DumpTable, listTables } from './catalogue.ts'
import { damaged, type Header, type Item, readBackup, type TableStart } from './format.ts'
import type { RestoreOptions } from './restore-options.ts'
import { TableLoader } from './table-loader.ts'

export interface Backup {
  file: string
  header: Header
  /** Whether an older version has made it, with other tables. */
  isOlder: boolean
}

export interface LoadedRows {
  tables: DumpTable[]
  /** The number of rows of each table. */
  done: Map<string, number>
  /** What follows the rows. */
  rest: AsyncGenerator<Item, void>
}

const PROGRESS_ROWS = 1024

/** Reads the file from the start every time, because the transaction may run again. */
export async function loadRows(
  database: Database,
  tx: Tx,
  { file, header, isOlder }: Backup,
  options: RestoreOptions,
): Promise<LoadedRows> {
  const tables = await listTables(tx, database.engine, options.tablesLeftOut)
  await prepareTables(database, tx, tables, isOlder ? undefined : options.countReplaceable)

  const done = new Map<string, number>()
  let loader: TableLoader | undefined
  let isSkipped = false
  let rowsDone = 0
  const endTable = async () => {
    if (loader === undefined) return
    await loader.flush()
    done.set(loader.table.name, loader.rowsDone)
    // Checks the SECRET_KEY early, so that a wrong one does not fail only after millions of rows.
    if (loader.table.name === 'keyring') await openKeyring(database, tx, header, options)
    loader = undefined
  }

  const items = readBackup(file)
  try {
    for (;;) {
      const { done: isOver, value: item } = await items.next()
      if (isOver) throw damaged(file, 'its end is missing')
      switch (item.kind) {
        case 'header':
          break
        case 'table': {
          await endTable()
          const table = tables.find(({ name }) => name === item.table)
          // An older version may have kept what is left out now.
          isSkipped = isOlder && table === undefined && item.table in options.tablesLeftOut
          if (isSkipped) break
          if (table === undefined || done.has(item.table))
            throw damaged(file, `it has an unexpected table, ${item.table}`)
          loader = new TableLoader(tx, database.engine, table, columnsOf(file, table, item))
          break
        }
        case 'row':
          if (isSkipped) break
          if (loader === undefined) throw damaged(file, 'it has rows before its first table')
          await loader.add(item.row, item.bytes)
          if (++rowsDone % PROGRESS_ROWS === 0) options.onProgress?.(loader.table.name, rowsDone)
          break
        default:
          await endTable()
          return { tables, done, rest: startWith(item, items) }
      }
    }
  } catch (error) {
    await items.return()
    throw error
  }
}

async function* startWith(first: Item, items: AsyncGenerator<Item, void>): AsyncGenerator<Item, void> {
  yield first
  yield* items
}

/** Locks all tables and checks that they are empty, so that the database contains nothing but the backup. */
async function prepareTables(
  database: Database,
  tx: Tx,
  tables: DumpTable[],
  countReplaceable: RestoreOptions['countReplaceable'],
): Promise<void> {
  if (database.engine === 'postgres') {
    await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in access exclusive mode`.execute(tx)
  }
  const replaceable = (await countReplaceable?.(tx)) ?? {}
  for (const { name } of tables.filter((table) => table.name !== 'keyring')) {
    const { [name]: rowsMax = 0 } = replaceable
    const { rows } = await sql`select 1 from ${sql.table(name)} limit ${sql.lit(rowsMax + 1)}`.execute(tx)
    if (rows.length > rowsMax) {
      throw new OperatorError(
        `The database is not empty: it has ${name.replaceAll('_', ' ')}. ${chooseNewDatabase(database)}`,
      )
    }
  }
  for (const name of Object.keys(replaceable)) await sql`delete from ${sql.table(name)}`.execute(tx)
  // A new database already has a keyring, but nothing is signed with it yet.
  await sql`delete from keyring`.execute(tx)
  await sql`delete from row_totals`.execute(tx)
}

function columnsOf(file: string, table: DumpTable, { columns }: TableStart): DumpColumn[] {
  const own = table.columns.map(({ name }) => name)
  if (!isDeepStrictEqual([...columns].sort(), [...own].sort())) {
    throw damaged(file, `the columns of ${table.name} do not match this version`)
  }
  return columns.flatMap((name) => table.columns.filter((column) => column.name === name))
}

/** Opens the keyring as the service would, but in the transaction that restores it. */
async function openKeyring(
  database: Database,
  tx: Tx,
  { created_at }: Header,
  { secretKeys, nowMs }: RestoreOptions,
): Promise<void> {
  const restoring: Database = { ...database, read: tx, write: (work) => work(tx) }
  try {
    await Keyring.load(restoring, secretKeys, nowMs)
  } catch (error) {
    throw new OperatorError(
      `Nothing was restored. The backup of ${created_at} needs the SECRET_KEY of that time. ${(error as Error).message}`,
      { cause: error },
    )
  }
}

export const chooseNewDatabase = ({ engine }: Pick<Database, 'engine'>): string =>
  `Restore into a new one: set ${engine === 'sqlite' ? 'DATA_DIR to an empty folder' : 'DATABASE_URL to an empty database'}.`
