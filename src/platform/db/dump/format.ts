import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../../errors/operator-error.ts'

/**
 * A backup is gzipped lines of JSON, the same for both engines: a header; for each table one line with its name and
 * columns, followed by its rows as arrays in the order of those columns; and a trailer with the number of rows, which
 * reveals a truncated file. Stored files, if it has any, come between the rows and the trailer: for each of them one line with
 * its name and size, followed by its content in Base64. Values are as in query results: true and false, canonical timestamps, JSON columns as JSON.
 */
export interface Header {
  format: typeof FORMAT
  version: typeof VERSION
  /** The version of Waymark that wrote it. */
  waymark: string
  /** Its commit, if that is known. */
  commit?: string | null
  /** What has applied the newest migration: it can restore the file, even if an older version has written it. */
  schema_build?: string
  migrations: string[]
  created_at: string
}

export interface TableStart {
  table: string
  columns: string[]
}

/** A stored file. Lines with its content follow. */
export interface FileStart {
  file: string
  media_type: string
  size_bytes: number
}

export interface FileChunk {
  /** Base64. */
  chunk: string
}

export interface Trailer {
  /** Number of rows by table. */
  rows: Record<string, number>
  /** How many stored files the backup has. */
  files?: number
}

export type Row = unknown[]

export type Item =
  | ({ kind: 'header' } & Header)
  | ({ kind: 'table' } & TableStart)
  | { kind: 'row'; row: Row; bytes: number }
  | ({ kind: 'file' } & FileStart)
  | ({ kind: 'chunk' } & FileChunk)
  | ({ kind: 'trailer' } & Trailer)

export const FORMAT = 'waymark-backup'
export const VERSION = 1

export const toLine = (value: Header | TableStart | FileStart | FileChunk | Trailer | Row): string =>
  `${JSON.stringify(value)}\n`

export async function readHeader(file: string): Promise<Header> {
  for await (const item of readBackup(file)) return item as Item & { kind: 'header' }
  throw notABackup(file)
}

/** Yields the items in order. Throws unless the first is a header and the last a trailer. */
export async function* readBackup(file: string): AsyncGenerator<Item, void> {
  let last: Item | undefined
  for await (const line of readLines(file)) {
    if (last?.kind === 'trailer') throw damaged(file, 'it has data after its end')
    last = last === undefined ? toHeader(file, line) : toItem(file, line)
    yield last
  }
  if (last?.kind !== 'trailer') throw damaged(file, 'its end is missing')
}

function toHeader(file: string, line: string): Item {
  const header = tryParse(line) as Header | undefined
  if (header?.format !== FORMAT || !Array.isArray(header.migrations)) throw notABackup(file)
  if (header.version !== VERSION) {
    throw new OperatorError(
      `${file} has the backup format ${header.version}, which this version of Waymark does not support. Update Waymark, then restore.`,
    )
  }
  return { kind: 'header', ...header }
}

function toItem(file: string, line: string): Item {
  const value = tryParse(line) as Row | TableStart | FileStart | FileChunk | Trailer | undefined
  if (Array.isArray(value)) return { kind: 'row', row: value, bytes: line.length }
  if (value !== undefined && 'table' in value) return { kind: 'table', ...value }
  if (value !== undefined && 'chunk' in value) return { kind: 'chunk', ...value }
  if (value !== undefined && 'file' in value) return { kind: 'file', ...value }
  if (value !== undefined && 'rows' in value) return { kind: 'trailer', ...value }
  throw damaged(file, 'it has a line that does not belong in a backup')
}

function tryParse(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Splits at `\n` only. Node's readline would also split at U+2028, which JSON does not escape. */
async function* readLines(file: string): AsyncGenerator<string, void> {
  const text = pipeline(createReadStream(file), createGunzip(), () => {}).setEncoding('utf8')
  let rest = ''
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  } catch (error) {
    throw explain(file, error as NodeJS.ErrnoException)
  }
  if (rest !== '') throw damaged(file, 'its last line is cut off')
}

function explain(file: string, error: NodeJS.ErrnoException): Error {
  if (error.code === 'Z_BUF_ERROR') return damaged(file, 'its end is missing')
  if (error.code === 'Z_DATA_ERROR') {
    return error.message === 'incorrect header check' ? notABackup(file) : damaged(file, error.message)
  }
  if (error.code === 'ENOENT') return new OperatorError(`There is no file ${file}.`)
  return error.syscall === undefined ? error : new OperatorError(`${file} cannot be read: ${error.message}.`)
}

const notABackup = (file: string): OperatorError =>
  new OperatorError(`${file} is not a backup of Waymark. Use a file that \`npx waymark backup\` wrote.`)

export const damaged = (file: string, reason: string): OperatorError =>
  new OperatorError(`${file} is damaged: ${reason}. Nothing was restored. Use another backup.`)
