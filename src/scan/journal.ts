import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { type FileHandle, open, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { lockFile } from '../platform/files/file-lock.ts'
import { syncFolder } from '../platform/files/sync-folder.ts'
import { newId } from '../platform/ids/index.ts'

const LOCK = 'lock'
const SEGMENT = /^\d+\.scans$/

/**
 * A durable place for what the database does not take at present: files of one line per entry, each with its
 * checksum. A line that was not written whole belongs to nobody who was answered.
 *
 * Each process has a folder of its own within `folder`, and a lock on it. What another process left behind, however
 * it ended, is taken over by whoever gets the lock.
 */
export class Journal<Entry> {
  readonly #folder: string
  readonly #own: string
  readonly #unlock: () => void
  #current: FileHandle | undefined
  #segments = 0
  /** The last of the own files that nothing is appended to any more. */
  #sealed = 0
  /** Whatever touches the present file waits for whoever touched it before. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(folder: string) {
    this.#folder = folder
    const name = newId()
    // Under this name nobody takes it for left behind before it is locked.
    const hidden = join(folder, `.${name}`)
    mkdirSync(hidden, { recursive: true })
    const unlock = lockFile(join(hidden, LOCK))
    if (unlock === undefined) throw new Error(`${hidden} is new, and yet somebody holds its lock`)
    this.#unlock = unlock
    this.#own = join(folder, name)
    renameSync(hidden, this.#own)
  }

  /** Resolves when all of them are on disk. */
  append(entries: readonly Entry[]): Promise<void> {
    return this.#inTurn(async () => {
      this.#current ??= await this.#open()
      const handle = this.#current
      try {
        await handle.appendFile(entries.map(toLine).join(''))
        await handle.datasync()
      } catch (error) {
        // The file may end with half a line, which would spoil the line that comes after it.
        await this.#finish().catch(() => {})
        throw error
      }
    })
  }

  /** Closes the present file; what is appended from now on goes into the next. */
  seal(): Promise<void> {
    return this.#inTurn(() => this.#finish())
  }

  /**
   * Hands everything that is sealed, here or left behind by others, to `store`, and deletes what was stored.
   * Answers why something that others left could not be read; that keeps nobody from the rest.
   */
  async drain(batch: number, store: (entries: Entry[]) => Promise<void>): Promise<Error[]> {
    await this.#drainFolder(this.#own, batch, store)
    const failures: Error[] = []
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const folder = join(this.#folder, entry.name)
      if (folder === this.#own || entry.name.startsWith('.') || !entry.isDirectory()) continue
      try {
        await this.#takeOver(folder, batch, store)
      } catch (error) {
        if (!isOfFiles(error)) throw error
        failures.push(error)
      }
    }
    return failures
  }

  async close(): Promise<void> {
    await this.seal()
    this.#unlock()
    await rm(join(this.#own, LOCK), { force: true })
    // With anything left in it the folder stays, for the next one to take over.
    await rmdir(this.#own).catch(() => {})
  }

  async #takeOver(folder: string, batch: number, store: (entries: Entry[]) => Promise<void>): Promise<void> {
    const unlock = lockFile(join(folder, LOCK))
    if (unlock === undefined) return
    try {
      await this.#drainFolder(folder, batch, store)
      await rm(folder, { recursive: true })
    } finally {
      unlock()
    }
  }

  async #drainFolder(folder: string, batch: number, store: (entries: Entry[]) => Promise<void>): Promise<void> {
    for (const name of readdirSync(folder).filter((name) => SEGMENT.test(name))) {
      if (folder === this.#own && Number.parseInt(name, 10) > this.#sealed) continue
      const file = join(folder, name)
      await drainFile<Entry>(file, batch, store)
      await rm(file)
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  async #finish(): Promise<void> {
    const handle = this.#current
    this.#current = undefined
    this.#sealed = this.#segments
    await handle?.close()
  }

  async #open(): Promise<FileHandle> {
    const handle = await open(join(this.#own, `${++this.#segments}.scans`), 'ax')
    // A file whose name is not on disk is lost with all that is in it.
    const above = [this.#folder, dirname(this.#folder), dirname(dirname(this.#folder))]
    for (const folder of [this.#own, ...above]) await syncFolder(folder)
    return handle
  }
}

/** Whether it came from reading or locking files, and not from whoever stores what is in them. */
const isOfFiles = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || 'errcode' in error)

async function drainFile<Entry>(
  file: string,
  batch: number,
  store: (entries: Entry[]) => Promise<void>,
): Promise<void> {
  const handle = await open(file)
  try {
    let entries: Entry[] = []
    for await (const line of handle.readLines()) {
      const entry = fromLine<Entry>(line)
      if (entry !== undefined) entries.push(entry)
      if (entries.length === batch) {
        await store(entries)
        entries = []
      }
    }
    if (entries.length > 0) await store(entries)
  } finally {
    await handle.close()
  }
}

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** These two may stand in JSON as they are, but whoever reads lines takes them for the end of one. */
const LINE_ENDS = /[\u2028\u2029]/g

function toLine(entry: unknown): string {
  const json = JSON.stringify(entry).replace(LINE_ENDS, (end) => (end === '\u2028' ? '\\u2028' : '\\u2029'))
  return `${checksum(json)} ${json}\n`
}

function fromLine<Entry>(line: string): Entry | undefined {
  const json = line.slice(9)
  return line.slice(0, 8) === checksum(json) ? (JSON.parse(json) as Entry) : undefined
}
