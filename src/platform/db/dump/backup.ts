import { existsSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Timestamp } from '../../clock/index.ts'
import { OperatorError } from '../../errors/operator-error.ts'
import { syncFolder } from '../../files/sync-folder.ts'
import type { Build } from '../../telemetry/build.ts'
import { listAppliedMigrations } from '../migrate.ts'
import { findSchemaBuild } from '../schema-steps.ts'
import type { Database, Db } from '../types.ts'
import { type DumpTable, listTables, type TablesLeftOut } from './catalogue.ts'
import { FORMAT, type Row, toLine, VERSION } from './format.ts'

export interface BackupOptions {
  build: Build
  now: Timestamp
  tablesLeftOut: TablesLeftOut
  /** Rows that a table has in the backup only, by its name. */
  moreRows?: Readonly<Record<string, readonly Record<string, unknown>[]>>
  /** Stored files to include. They are read after the rows: copying them must not prolong the snapshot. */
  files?: () => AsyncIterable<BackupFile>
  /** Replaces an existing file. */
  force?: boolean
  signal?: AbortSignal
  onProgress?: OnProgress
}

interface BackupFile {
  name: string
  mediaType: string
  sizeBytes: number
  content: AsyncIterable<Buffer>
}

/** Called from time to time with the current table and the number of rows done in all tables. */
export type OnProgress = (table: string, rowsDone: number) => void

export interface BackupSummary {
  bytes: number
  /** Number of rows by table. */
  rows: Record<string, number>
}

const BATCH_ROWS_MAX = 1000
const FIRST_BATCH_ROWS = 100
/** The target size of a batch. A thousand long texts at once would be half a gigabyte. */
const BATCH_BYTES = 2 * 1024 * 1024
/** Twice as fast as the default level; the files are a tenth larger. */
const GZIP_LEVEL = 4
const CHUNK_BYTES = 256 * 1024
/** The file contains secrets, so only its owner may read it. */
const MODE = 0o600

/**
 * Writes a snapshot of the database into a file while the service is running. The file appears under its name only when
 * it is complete and on disk.
 */
export async function writeBackup(database: Database, file: string, options: BackupOptions): Promise<BackupSummary> {
  if (options.force !== true) refuseToReplace(file)
  const partial = `${file}.partial`
  try {
    await rm(partial, { force: true })
    const handle = await open(partial, 'wx', MODE)
    try {
      const summary = await writeRows(database, handle, options)
      if (!(await isSameFile(partial, handle)))
        throw new OperatorError(`Another backup is being written to ${file}. Wait for it or choose another name.`)
      if (options.force !== true) refuseToReplace(file)
      await rename(partial, file)
      await syncFolder(dirname(file))
      return summary
    } finally {
      if (await isSameFile(partial, handle)) await rm(partial)
      await handle.close()
    }
  } catch (error) {
    throw explain(file, error as NodeJS.ErrnoException)
  }
}

async function writeRows(database: Database, handle: FileHandle, options: BackupOptions): Promise<BackupSummary> {
  const rows: Record<string, number> = {}
  /** Each call adds one member to the gzip file. */
  const write = (lines: AsyncIterable<string>) =>
    pipeline(
      lines,
      createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }),
      (compressed: AsyncIterable<Buffer>) => handle.writeFile(compressed),
      { ...(options.signal && { signal: options.signal }) },
    )
  await database.snapshot((db) => write(rowLines(db, database, options, rows)))
  await write(lastLines(options, rows))
  await handle.sync()
  return { bytes: (await handle.stat()).size, rows }
}

async function* rowLines(
  db: Db,
  database: Database,
  { build, now, tablesLeftOut, moreRows = {}, onProgress }: BackupOptions,
  counts: Record<string, number>,
): AsyncGenerator<string, void> {
  const migrations = await listAppliedMigrations(db)
  const schemaBuild = await findSchemaBuild(db, migrations)
  yield toLine({
    format: FORMAT,
    version: VERSION,
    waymark: build.version,
    commit: build.commit,
    ...(schemaBuild !== undefined && { schema_build: schemaBuild }),
    migrations,
    created_at: now,
  })
  let rowsDone = 0
  for (const table of await listTables(db, database.engine, tablesLeftOut)) {
    counts[table.name] = 0
    yield toLine({ table: table.name, columns: table.columns.map(({ name }) => name) })
    for await (const { rows, text } of readBatches(db, table)) {
      counts[table.name] = (counts[table.name] ?? 0) + rows
      rowsDone += rows
      yield text
      onProgress?.(table.name, rowsDone)
    }
    for (const row of moreRows[table.name] ?? []) {
      counts[table.name] = (counts[table.name] ?? 0) + 1
      yield toLine(toRow(table, row))
    }
  }
}

async function* lastLines({ files }: BackupOptions, rows: Record<string, number>): AsyncGenerator<string, void> {
  if (files === undefined) {
    yield toLine({ rows })
    return
  }
  let count = 0
  for await (const { name, mediaType, sizeBytes, content } of files()) {
    yield toLine({ file: name, media_type: mediaType, size_bytes: sizeBytes })
    for await (const chunk of content) yield toLine({ chunk: chunk.toString('base64') })
    count++
  }
  yield toLine({ rows, files: count })
}

/** Continues after the last key instead of using an offset, so that every batch costs the same. */
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
    // JSON cannot represent bytes.
    if (ArrayBuffer.isView(value)) throw new Error(`${table.name}.${name} contains bytes, which a backup cannot store`)
    return value
  })
}

function refuseToReplace(file: string): void {
  if (existsSync(file)) throw new OperatorError(`${file} exists. Choose another name, or replace it with --force.`)
}

/** Whether the path still refers to our file. A second backup to the same path would have replaced it. */
async function isSameFile(path: string, handle: FileHandle): Promise<boolean> {
  const [current, ours] = await Promise.all([stat(path).catch(() => undefined), handle.stat()])
  return current?.ino === ours.ino
}

function explain(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'ABORT_ERR') return new OperatorError('The backup was stopped.')
  if (error.syscall === undefined) return error
  return new OperatorError(`${file} cannot be written: ${error.message}.`)
}
