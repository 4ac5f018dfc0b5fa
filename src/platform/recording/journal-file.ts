import { type FileHandle, rm } from 'node:fs/promises'
import { systemClock } from '../clock/index.ts'
import { type JournalLine, parseLine, toLine } from './journal-line.ts'

/** How much is read, and stored in one transaction: 150 to 1,200 scans. */
const PIECE_BYTES = { min: 64 * 1024, first: 64 * 1024, max: 512 * 1024 }
/** Others wait for the writer while a piece is stored. If that takes longer, the next pieces are smaller. */
const PIECE_MS_MAX = 20
/** Longer than any line. What has no line feed for so long is no line, such as zeros after a power cut. */
const LINE_BYTES_MAX = 64 * 1024 * 1024
/** A file that has grown longer than this while the database was away is made short again. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024

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
  #pieceBytes = PIECE_BYTES.first
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
    const bytesMax = this.bytes === 0 ? Number.POSITIVE_INFINITY : this.bytes
    for await (const lines of readLines(this.handle, bytesMax, () => this.#pieceBytes)) {
      newestVersion = lines.reduce((newest, { version }) => Math.max(newest, version), newestVersion)
      const readable = lines.filter(({ version }) => version <= this.#version)
      const startedMs = performance.now()
      if (readable.length > 0) await store(readable)
      this.#fitPiece(performance.now() - startedMs)
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

  #fitPiece(tookMs: number): void {
    if (tookMs > PIECE_MS_MAX) this.#pieceBytes = Math.max(PIECE_BYTES.min, this.#pieceBytes / 2)
    else if (tookMs < PIECE_MS_MAX / 2) this.#pieceBytes = Math.min(PIECE_BYTES.max, 2 * this.#pieceBytes)
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
export async function* readLines(
  handle: FileHandle,
  bytesMax: number,
  pieceBytes = () => PIECE_BYTES.max,
): AsyncGenerator<JournalLine[], void> {
  let generation: number | undefined
  for await (const piece of readPieces(handle, bytesMax, pieceBytes)) {
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
async function* readPieces(
  handle: FileHandle,
  bytesMax: number,
  pieceBytes: () => number,
): AsyncGenerator<Buffer, void> {
  let rest = Buffer.alloc(0)
  for (let position = 0; position < bytesMax; ) {
    const length = Math.min(pieceBytes(), bytesMax - position)
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
