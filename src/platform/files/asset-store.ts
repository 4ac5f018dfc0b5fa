import type { Readable } from 'node:stream'

/** Where the files of organisations are kept. We choose their names, never a customer. */
export interface AssetStore {
  /** Writes the chunks, as they arrive, to a file on the local disk that is not in the store yet. */
  stage(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<StagedFile>
  /**
   * Stages a file that is only read while a request runs. It is never synced: most such files are removed before
   * the disk sees them, and the database need not wait for those.
   */
  hold(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<HeldFile>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** Finds a file; undefined if there is none. */
  open(name: string): Promise<StoredFile | undefined>
  /** Removes staged files that a crash left behind. */
  removeLeftovers(): Promise<void>
  /** Writes, reads and removes a file. Throws if one of these fails. */
  check(): Promise<void>
}

/** A store that is not on the local disk does not respond, or refuses. The caller may retry. */
export class StoreUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'StoreUnavailable'
  }
}

/** A complete file that belongs to a request. */
export interface HeldFile {
  readonly path: string
  readonly sizeBytes: number
  /** Removes the file. Always call it at the end. */
  discard(): Promise<void>
}

/** A complete and durable file that is not in the store yet. */
export interface StagedFile extends HeldFile {
  /** Hexadecimal SHA-256 of the content. */
  readonly sha256: string
  /** Puts the file into the store, once. Discarding it has no effect then. */
  store(name: string, mediaType: string): Promise<void>
}

/** The first and the last byte, both included. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredFile {
  readonly sizeBytes: number
  /** Reads the file or a part of it, once. The end of the stream closes the file. */
  read(range?: ByteRange): Promise<Readable>
  /** Call it if the file is not read. */
  close(): Promise<void>
}

/** Slices of this size are read from the disk or the network. */
export const READ_BYTES = 128 * 1024
