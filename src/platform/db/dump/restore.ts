import { sql } from 'kysely'
import { OperatorError } from '../../errors/operator-error.ts'
import { describeBuild } from '../../telemetry/build.ts'
import { ConstraintViolation } from '../failures.ts'
import { listAppliedMigrations, listKnownMigrations, migrate, migrateInTransaction, migrateTo } from '../migrate.ts'
import type { Database, Tx } from '../types.ts'
import type { DumpTable } from './catalogue.ts'
import { withDeferredForeignKeys } from './foreign-keys.ts'
import { damaged, type FileStart, type Header, type Item, readHeader } from './format.ts'
import { type Backup, chooseNewDatabase, type LoadedRows, loadRows } from './load-rows.ts'
import type { RestoreOptions } from './restore-options.ts'

export interface RestoreSummary {
  created_at: string
  /** Number of rows by table. */
  rows: Record<string, number>
}

/**
 * Restores a backup of either engine into a database that counts as empty, in one transaction. A backup of an older version is
 * loaded into the schema of that version, which is then migrated like a database of that version.
 */
export async function restoreBackup(
  database: Database,
  file: string,
  options: RestoreOptions,
): Promise<RestoreSummary> {
  const header = await checkBackup(file)
  const isOlder = header.migrations.length < (await listKnownMigrations()).length
  const backup = { file, header, isOlder }
  await (isOlder ? migrateToBackup(database, file, header) : migrate(database))
  try {
    const rows = await withDeferredForeignKeys(
      database,
      (tx) => loadRows(database, tx, backup, options),
      async (tx, loaded) => {
        if (isOlder) await migrateInTransaction(tx)
        await finish(tx, backup, loaded, options)
        return Object.fromEntries(loaded.done)
      },
    )
    await tidyUp(database)
    return { created_at: header.created_at, rows }
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

/** Creates the tables of the version that made the backup. Tables that have no rows can only be migrated forward. */
async function migrateToBackup(database: Database, file: string, { migrations }: Header): Promise<void> {
  const applied = await listAppliedMigrations(database.read).catch(() => [])
  if (applied.some((name) => !migrations.includes(name))) {
    throw new OperatorError(
      `${file} was made by an older version, and this database has the tables of a newer one already. ${chooseNewDatabase(database)}`,
    )
  }
  await migrateTo(database, migrations.at(-1) ?? '')
}

/** Stores the files, which follow the rows. */
async function finish(
  tx: Tx,
  { file, isOlder }: Backup,
  { tables, done, rest }: LoadedRows,
  options: RestoreOptions,
): Promise<void> {
  const rows = done.values().reduce((sum, count) => sum + count, 0)
  let files = 0
  for await (const item of rest) {
    switch (item.kind) {
      case 'file':
        await options.restoreFile?.(tx, item, readContent(file, rest, item))
        options.onProgress?.('files', rows + ++files)
        break
      // It belongs to a file that is not restored.
      case 'chunk':
        break
      case 'trailer':
        checkRowCounts(file, isOlder ? tables.filter(({ name }) => name in item.rows) : tables, done, item)
        if (files !== (item.files ?? 0)) throw damaged(file, `it should have ${item.files ?? 0} files and has ${files}`)
        break
      default:
        throw damaged(file, 'it has rows after its files')
    }
  }
  await options.rebuild?.(tx)
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

/** Updates the statistics of the query planner, or truncates the WAL, now instead of in a busy hour. */
async function tidyUp({ engine, kysely }: Database): Promise<void> {
  await (engine === 'postgres' ? sql`analyze` : sql`pragma wal_checkpoint(truncate)`).execute(kysely)
}

/** A version can restore its own backups and older ones: those that have the first steps of its own. */
function checkMigrations(file: string, header: Header, own: string[]): void {
  const { migrations, waymark, commit = null, schema_build = describeBuild({ version: waymark, commit }) } = header
  const unknown = migrations.filter((name) => !own.includes(name))
  if (unknown.length > 0) {
    throw new OperatorError(
      `${file} was made by a newer Waymark: it needs ${schema_build} or later, and this is ${describeBuild()}, which lacks ${unknown.join(', ')}.`,
    )
  }
  const skipped = own.slice(0, migrations.length).filter((name) => !migrations.includes(name))
  if (skipped.length > 0 || migrations.length === 0) {
    throw new OperatorError(
      `${file} was made by another development of Waymark (${schema_build}): it lacks ${skipped.join(', ')}. Restore it with that one.`,
    )
  }
}
