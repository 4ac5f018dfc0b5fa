import type { Readable } from 'node:stream'

/** Where the files of organisations are kept. We choose their names, never a customer. */
export interface AssetStore {
  /** Writes the chunks, as they arrive, to a file on the local disk that is not in the store yet. */
  stage(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<StagedFile>
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

/** A complete file that is not in the store yet. */
export interface StagedFile {
  readonly path: string
  readonly sizeBytes: number
  /** Hexadecimal SHA-256 of the content. */
  readonly sha256: string
  /** Puts the file into the store, once. It appears there only when it is complete and durable. */
  store(name: string, mediaType: string): Promise<void>
  /** Removes the file unless it was stored. Always call it at the end. */
  discard(): Promise<void>
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
  /** For a file that is not read. */
  close(): Promise<void>
}

/** Slices of this size are read from the disk or the network. */
export const READ_BYTES = 128 * 1024
