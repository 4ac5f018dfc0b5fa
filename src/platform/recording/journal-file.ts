import { type FileHandle, rm } from 'node:fs/promises'
import { systemClock } from '../clock/index.ts'
import { type JournalLine, parseLine, toLine } from './journal-line.ts'

/** How much is read, and stored in one transaction: some 600 scans. Others wait for the writer meanwhile. */
const PIECE_BYTES = 256 * 1024
/** Longer than any line. What has no line feed for so long is no line, such as zeros after a power cut. */
const LINE_BYTES_MAX = 256 * PIECE_BYTES
/** A file that has grown longer than this while the database was away is made short again. */
const KEPT_BYTES_MAX = 64 * PIECE_BYTES

/** Begins a generation that has no text yet. */
const NOTHING = ''

/** What was appended, with the version of the release that did so. */
export type Texts = readonly Pick<JournalLine, 'version' | 'json'>[]

/** A file of the journal: lines, and behind them rests of older lines. */
export class JournalFile {
  readonly handle: FileHandle
  readonly #path: string
  readonly #version: number
  #generation = 1
  /** The length of what is not stored yet, if this process has written it. */
  bytes = 0
  sinceMs: number | undefined

  constructor(path: string, handle: FileHandle, version: number) {
    this.#path = path
    this.handle = handle
    this.#version = version
  }

  async append(texts: readonly string[]): Promise<void> {
    const lines = Buffer.from(texts.map((json) => this.#toLine(json)).join(''))
    try {
      await this.#write(lines, this.bytes)
    } catch (error) {
      // Nothing of it may be stored later, because its callers are told that it is lost.
      await this.handle.truncate(this.bytes).catch(() => {})
      throw error
    }
    this.bytes += lines.length
    this.sinceMs ??= systemClock()
  }

  /** Passes on what is in the file, in pieces. Returns the newest version; of texts of newer ones, nothing is passed on. */
  async read(store: (texts: Texts) => Promise<void>): Promise<number> {
    let newestVersion = 0
    for await (const lines of readLines(this.handle, this.bytes === 0 ? Number.POSITIVE_INFINITY : this.bytes)) {
      newestVersion = lines.reduce((newest, { version }) => Math.max(newest, version), newestVersion)
      const readable = lines.filter(({ version }) => version <= this.#version)
      if (readable.length > 0) await store(readable)
    }
    return newestVersion
  }

  /** Everything is stored. Its start says so, in case the process ends before there is something new. */
  async clear(): Promise<void> {
    this.#generation++
    if (this.bytes > KEPT_BYTES_MAX) await this.handle.truncate(0)
    else await this.#write(Buffer.from(this.#toLine(NOTHING)), 0)
    this.bytes = 0
    this.sinceMs = undefined
  }

  /** Deletes the file, unless it holds something. */
  async close(): Promise<void> {
    await this.handle.close()
    if (this.bytes === 0) await rm(this.#path)
  }

  #toLine(json: string): string {
    return toLine({ version: this.#version, generation: this.#generation, json })
  }

  async #write(content: Buffer, position: number): Promise<void> {
    for (let from = 0; from < content.length; ) {
      from += (await this.handle.write(content, from, content.length - from, position + from)).bytesWritten
    }
  }
}

/** The lines that count, in pieces. */
export async function* readLines(handle: FileHandle, bytesMax: number): AsyncGenerator<JournalLine[], void> {
  let generation: number | undefined
  for await (const piece of readPieces(handle, bytesMax)) {
    const lines = piece
      .toString()
      .split('\n')
      .map(parseLine)
      .filter((line) => line !== undefined)
    generation ??= lines[0]?.generation
    yield lines.filter((line) => line.generation === generation && line.json !== NOTHING)
  }
}

/** Pieces of complete lines. The last one may lack its line feed. */
async function* readPieces(handle: FileHandle, bytesMax: number): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0)
  for (let position = 0; position < bytesMax; ) {
    const length = Math.min(PIECE_BYTES, bytesMax - position)
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) break
    position += bytesRead
    const piece = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    const end = piece.lastIndexOf('\n') + 1
    if (end > 0) yield piece.subarray(0, end)
    rest = piece.length - end > LINE_BYTES_MAX ? Buffer.alloc(0) : piece.subarray(end)
  }
  if (rest.length > 0) yield rest
}
