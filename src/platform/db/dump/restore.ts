import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { OperatorError } from '../../errors/operator-error.ts'
import { Keyring } from '../../keyring/index.ts'
import { ConstraintViolation } from '../failures.ts'
import { listKnownMigrations } from '../migrate.ts'
import type { Database, Db, Tx } from '../types.ts'
import type { OnProgress } from './backup.ts'
import { type DumpColumn, type DumpTable, listTables, type TablesLeftOut } from './catalogue.ts'
import { withDeferredForeignKeys } from './foreign-keys.ts'
import { damaged, type FileStart, type Header, type Item, readBackup, readHeader, type TableStart } from './format.ts'
import { TableLoader } from './table-loader.ts'

export interface RestoreOptions {
  secretKey: string | undefined
  nowMs: number
  tablesLeftOut: TablesLeftOut
  /** Says how many rows each table may have in a database that still counts as empty. They are deleted. */
  countReplaceable?: (db: Db) => Promise<Readonly<Record<string, number>>>
  onProgress?: OnProgress
  /**
   * Stores a file of the backup. Runs in the same transaction, after all rows: if it fails, the database stays empty. A file
   * that is stored again after such a failure replaces itself.
   */
  restoreFile?: (tx: Tx, file: FileStart, content: AsyncIterable<Buffer>) => Promise<void>
  /** Starts rebuilding data that is derived from the rows and not in the backup. Runs in the same transaction. */
  rebuild?: (tx: Tx) => Promise<void>
}

export interface RestoreSummary {
  created_at: string
  /** Number of rows by table. */
  rows: Record<string, number>
}

const PROGRESS_ROWS = 1024

/** Restores a backup of either engine into a migrated database that counts as empty, in one transaction. */
export async function restoreBackup(
  database: Database,
  file: string,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const { created_at } = await checkBackup(file)
  try {
    const rows = await withDeferredForeignKeys(database, (tx) => load(database, tx, file, options))
    await tidyUp(database)
    return { created_at, rows }
  } catch (error) {
    if (error instanceof ConstraintViolation) throw damaged(file, `its rows contradict each other (${error.message})`)
    throw error
  }
}

/** Checks that this version can restore the file, before anything is opened or created. */
export async function checkBackup(file: string): Promise<Header> {
  const header = await readHeader(file)
  checkMigrations(file, header, await listKnownMigrations())
  return header
}

/** Reads the file from the start every time, because the transaction may run again. */
async function load(
  database: Database,
  tx: Tx,
  file: string,
  options: RestoreOptions,
): Promise<Record<string, number>> {
  const { engine } = database
  const tables = await listTables(tx, engine, options.tablesLeftOut)
  await prepareTables(database, tx, tables, options)

  const done = new Map<string, number>()
  let loader: TableLoader | undefined
  let rowsDone = 0
  const finish = async () => {
    if (loader === undefined) return
    await loader.flush()
    done.set(loader.table.name, loader.rowsDone)
    // Checks the SECRET_KEY early, so that a wrong one does not fail only after millions of rows.
    if (loader.table.name === 'keyring') await openKeyring(database, tx, options)
  }

  let files = 0
  const items = readBackup(file)
  for await (const item of items) {
    switch (item.kind) {
      case 'header':
        break
      case 'table': {
        await finish()
        const table = tables.find(({ name }) => name === item.table)
        if (table === undefined || done.has(item.table))
          throw damaged(file, `it has an unexpected table, ${item.table}`)
        loader = new TableLoader(tx, engine, table, columnsOf(file, table, item))
        break
      }
      case 'row':
        if (loader === undefined) throw damaged(file, 'it has rows before its first table')
        await loader.add(item.row, item.bytes)
        if (++rowsDone % PROGRESS_ROWS === 0) options.onProgress?.(loader.table.name, rowsDone)
        break
      case 'file':
        await finish()
        loader = undefined
        await options.restoreFile?.(tx, item, readContent(file, items, item))
        options.onProgress?.('files', rowsDone + ++files)
        break
      // It belongs to a file that is not restored.
      case 'chunk':
        break
      case 'trailer':
        await finish()
        checkRowCounts(file, tables, done, item)
        if (files !== (item.files ?? 0)) throw damaged(file, `it should have ${item.files ?? 0} files and has ${files}`)
        await options.rebuild?.(tx)
    }
  }
  return Object.fromEntries(done)
}

/** Reads exactly the lines of one file, so that the next item is not part of it. */
async function* readContent(
  file: string,
  items: AsyncGenerator<Item, void>,
  { file: name, size_bytes }: FileStart,
): AsyncGenerator<Buffer, void> {
  for (let bytes = 0; bytes < size_bytes; ) {
    const { value } = await items.next()
    if (value?.kind !== 'chunk') throw damaged(file, `the content of ${name} is incomplete`)
    const content = Buffer.from(value.chunk, 'base64')
    bytes += content.length
    yield content
  }
}

/** Locks all tables and checks that they are empty, so that the database contains nothing but the backup. */
async function prepareTables(
  { engine }: Database,
  tx: Tx,
  tables: DumpTable[],
  { countReplaceable }: RestoreOptions,
): Promise<void> {
  if (engine === 'postgres') {
    await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in access exclusive mode`.execute(tx)
  }
  const replaceable = (await countReplaceable?.(tx)) ?? {}
  for (const { name } of tables.filter((table) => table.name !== 'keyring')) {
    const { [name]: rowsMax = 0 } = replaceable
    const { rows } = await sql`select 1 from ${sql.table(name)} limit ${sql.lit(rowsMax + 1)}`.execute(tx)
    if (rows.length > rowsMax) {
      throw new OperatorError(
        `The database is not empty: it has ${name.replaceAll('_', ' ')}. Restore into a new one: set ${
          engine === 'sqlite' ? 'DATA_DIR to an empty folder' : 'DATABASE_URL to an empty database'
        }.`,
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

function checkRowCounts(
  file: string,
  tables: DumpTable[],
  done: Map<string, number>,
  trailer: Item & { kind: 'trailer' },
) {
  for (const { name } of tables) {
    const [expected, found] = [trailer.rows[name], done.get(name)]
    if (expected === undefined || found !== expected) {
      throw damaged(file, `it should have ${expected ?? 0} rows of ${name} and has ${found ?? 'none'}`)
    }
  }
}

/** Opens the keyring as the service would, but in the transaction that restores it. */
async function openKeyring(database: Database, tx: Tx, { secretKey, nowMs }: RestoreOptions): Promise<void> {
  const restoring: Database = { ...database, read: tx, write: (work) => work(tx) }
  try {
    await Keyring.load(restoring, secretKey, nowMs)
  } catch (error) {
    throw new OperatorError(`Nothing was restored. ${(error as Error).message}`, { cause: error })
  }
}

/** Updates the statistics of the query planner, or truncates the WAL, now instead of in a busy hour. */
async function tidyUp({ engine, kysely }: Database): Promise<void> {
  await (engine === 'postgres' ? sql`analyze` : sql`pragma wal_checkpoint(truncate)`).execute(kysely)
}

function checkMigrations(file: string, { migrations, waymark }: Header, own: string[]): void {
  const unknown = migrations.filter((name) => !own.includes(name))
  const missing = own.filter((name) => !migrations.includes(name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `${file} was made by a newer Waymark (${waymark}): this version lacks ${unknown.join(', ')}. Restore it with ${waymark} or later.`,
    )
  }
  if (missing.length > 0) {
    throw new OperatorError(
      `${file} was made by an older Waymark (${waymark}), before ${missing.join(', ')}. Restore it with ${waymark}, then start this version on that database to migrate it.`,
    )
  }
}
