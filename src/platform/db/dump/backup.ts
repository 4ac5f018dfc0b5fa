import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Timestamp } from '../../clock/index.ts'
import { OperatorError } from '../../errors/operator-error.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import { listDoneMigrations } from '../migrate.ts'
import type { Database, Db } from '../types.ts'
import { type DumpTable, listTables } from './catalogue.ts'
import { FORMAT, type Row, toLine, VERSION } from './format.ts'

export interface BackupOptions {
  waymark: string
  now: Timestamp
  /** Replaces a file that is there already. */
  force?: boolean
  signal?: AbortSignal
  onProgress?: OnProgress
}

/** Told now and then which table is under way, and how many rows of all tables are done. */
export type OnProgress = (table: string, rowsDone: number) => void

export interface BackupSummary {
  bytes: number
  /** Per table. */
  rows: Record<string, number>
}

const BATCH_ROWS_MAX = 1000
const FIRST_BATCH_ROWS = 100
/** What a batch aims at: a thousand long articles at once would be half a gigabyte. */
const BATCH_BYTES = 2 * 1024 * 1024
/** Twice as fast as the default level, for files that are a tenth larger. */
const GZIP_LEVEL = 4
const CHUNK_BYTES = 256 * 1024
/** It holds secrets, so it is for its owner alone. */
const MODE = 0o600

/**
 * Writes everything that was in the database at one moment into a file, while the service goes on. The file
 * has its name only when it is whole and on the disk.
 */
export async function writeBackup(database: Database, file: string, options: BackupOptions): Promise<BackupSummary> {
  if (options.force !== true) refuseToReplace(file)
  const partial = `${file}.partial`
  try {
    await rm(partial, { force: true })
    const handle = await open(partial, 'wx', MODE)
    try {
      const summary = await save(database, handle, options)
      if (!(await isAt(partial, handle))) throw new OperatorError(`Another backup is being written to ${file}.`)
      if (options.force !== true) refuseToReplace(file)
      await rename(partial, file)
      await syncFolder(dirname(file))
      return summary
    } finally {
      if (await isAt(partial, handle)) await rm(partial)
      await handle.close()
    }
  } catch (error) {
    throw explain(file, error as NodeJS.ErrnoException)
  }
}

async function save(database: Database, handle: FileHandle, options: BackupOptions): Promise<BackupSummary> {
  const rows: Record<string, number> = {}
  await database.snapshot((db) =>
    pipeline(
      lines(db, database, options, rows),
      createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }),
      (compressed: AsyncIterable<Buffer>) => handle.writeFile(compressed),
      { ...(options.signal && { signal: options.signal }) },
    ),
  )
  await handle.sync()
  return { bytes: (await handle.stat()).size, rows }
}

async function* lines(
  db: Db,
  database: Database,
  { waymark, now, onProgress }: BackupOptions,
  counts: Record<string, number>,
): AsyncGenerator<string, void> {
  const migrations = await listDoneMigrations(db)
  yield toLine({ format: FORMAT, version: VERSION, waymark, migrations, created_at: now })
  let rowsDone = 0
  for (const table of await listTables(db, database.engine)) {
    counts[table.name] = 0
    yield toLine({ table: table.name, columns: table.columns.map(({ name }) => name) })
    for await (const { rows, text } of readBatches(db, table)) {
      counts[table.name] = (counts[table.name] ?? 0) + rows
      rowsDone += rows
      yield text
      onProgress?.(table.name, rowsDone)
    }
  }
  yield toLine({ rows: counts })
}

/** Goes on after the last key, so that the last batch costs what the first did. */
async function* readBatches(db: Db, table: DumpTable): AsyncGenerator<{ rows: number; text: string }, void> {
  const columns = sql.join(table.columns.map(({ name }) => sql.ref(name)))
  const key = sql.join(table.key.map((name) => sql.ref(name)))
  let after = sql``
  for (let limit = FIRST_BATCH_ROWS; ; ) {
    const { rows } = await sql<Record<string, unknown>>`
      select ${columns} from ${sql.table(table.name)} ${after} order by ${key} limit ${limit}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    const text = rows.map((row) => toLine(toRow(table, row))).join('')
    yield { rows: rows.length, text }
    if (rows.length < limit) return
    after = sql`where (${key}) > (${sql.join(table.key.map((name) => last[name]))})`
    limit = Math.max(1, Math.min(BATCH_ROWS_MAX, Math.floor((BATCH_BYTES * rows.length) / text.length)))
  }
}

function toRow(table: DumpTable, row: Record<string, unknown>): Row {
  return table.columns.map(({ name }) => {
    const value = row[name]
    // JSON would write them as something that cannot be read back.
    if (ArrayBuffer.isView(value)) throw new Error(`${table.name}.${name} holds bytes, which a backup cannot carry`)
    return value
  })
}

function refuseToReplace(file: string): void {
  if (existsSync(file)) throw new OperatorError(`${file} exists. Choose another name, or replace it with --force.`)
}

/** Whether this is still the file of that name: a second backup to the same place would have put its own there. */
async function isAt(path: string, handle: FileHandle): Promise<boolean> {
  const [there, ours] = await Promise.all([stat(path).catch(() => undefined), handle.stat()])
  return there?.ino === ours.ino
}

function explain(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ABORT_ERR') return new OperatorError('The backup was stopped.')
  if (error.syscall === undefined) return error
  return new OperatorError(`${file} cannot be written: ${error.message}.`)
}
