import { mkdirSync, readdirSync, renameSync } from 'node:fs'
import { type FileHandle, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockFile } from '../files/file-lock.ts'
import { ifMissing } from '../files/staging.ts'
import { syncFolder } from '../files/sync-folder.ts'
import { newId } from '../ids/index.ts'
import { parseLine, toLine } from './journal-line.ts'

const LOCK = 'lock'

export interface JournalFormat<Entry> {
  /** What the entries are called, such as `scans`. Files have it as their extension. */
  entries: string
  /** Written to every line. Raise it whenever entries change. */
  version: number
  /** Completes an entry that an older release wrote, for example with defaults for new columns. */
  upgrade: (version: number, entry: unknown) => Entry
}

type Store<Entry> = (entries: Entry[]) => Promise<void>

/**
 * Durable storage for entries that the database cannot take right now: segment files with one line per entry. An
 * incomplete line is ignored: its `append` never resolved.
 *
 * Each process has its own folder inside `folder` and holds a lock on it. When a process exits or crashes, its lock is
 * released, and the next process that drains takes over its files.
 */
export class Journal<Entry> {
  readonly #folder: string
  readonly #own: string
  readonly #format: JournalFormat<Entry>
  readonly #unlock: () => void
  #current: FileHandle | undefined
  #segments = 0
  /** The number of the last own segment that is complete. */
  #sealed = 0
  /** Serialises all work on the current segment. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(folder: string, format: JournalFormat<Entry>) {
    this.#folder = folder
    this.#format = format
    const name = newId()
    // Other processes skip hidden folders, so none can take this one over before it is locked.
    const hidden = join(folder, `.${name}`)
    // Other users of the machine have no business here.
    mkdirSync(hidden, { recursive: true, mode: 0o700 })
    const unlock = lockFile(join(hidden, LOCK))
    if (unlock === undefined) throw new Error(`the new folder ${hidden} is already locked by another process`)
    this.#unlock = unlock
    this.#own = join(folder, name)
    renameSync(hidden, this.#own)
  }

  /** Resolves when all entries are on disk. */
  append(entries: readonly Entry[]): Promise<void> {
    return this.#inTurn(async () => {
      this.#current ??= await this.#open()
      const handle = this.#current
      const { size } = await handle.stat()
      try {
        await handle.appendFile(entries.map((entry) => toLine(this.#format.version, entry)).join(''))
        await handle.datasync()
      } catch (error) {
        // Nothing of it may be stored later, because its callers are told that it is lost, and half a line would corrupt the
        // next one.
        await handle.truncate(size).catch(() => {})
        await this.#finish().catch(() => {})
        throw error
      }
    })
  }

  /** Completes the current segment. Later entries go into the next one. */
  seal(): Promise<void> {
    return this.#inTurn(() => this.#finish())
  }

  /**
   * Passes the entries of all sealed segments to `store`, its own and those of processes that have ended, and deletes
   * each segment once it is stored. `store` gets an entry again when the process ends before the segment is deleted.
   *
   * Returns the failures to read other processes' files; these files stay and do not hold up the others. A segment
   * with lines of a newer release counts as such a failure. Its readable entries are stored, again on every drain.
   */
  async drain(batchMax: number, store: Store<Entry>): Promise<Error[]> {
    const failures = await this.#drainFolder(this.#own, batchMax, store)
    for (const entry of readdirSync(this.#folder, { withFileTypes: true })) {
      const folder = join(this.#folder, entry.name)
      if (folder === this.#own || entry.name.startsWith('.') || !entry.isDirectory()) continue
      try {
        failures.push(...(await this.#takeOver(folder, batchMax, store)))
      } catch (error) {
        if (!isFileError(error)) throw error
        failures.push(error)
      }
    }
    return failures
  }

  /** The size of all segments, also of those that other processes have left. */
  async sizeBytes(): Promise<number> {
    const extension = `.${this.#format.entries}`
    let bytes = 0
    // Files and folders may be stored and deleted in the meantime.
    for (const name of await readdir(this.#folder, { recursive: true }).catch(ifMissing([]))) {
      if (!name.endsWith(extension)) continue
      bytes += (await stat(join(this.#folder, name)).catch(ifMissing({ size: 0 }))).size
    }
    return bytes
  }

  async close(): Promise<void> {
    await this.seal()
    this.#unlock()
    await rm(join(this.#own, LOCK), { force: true })
    // Fails when segments are left. Then the folder stays for the next process.
    await rmdir(this.#own).catch(() => {})
  }

  async #takeOver(folder: string, batchMax: number, store: Store<Entry>): Promise<Error[]> {
    const unlock = lockFile(join(folder, LOCK))
    if (unlock === undefined) return []
    try {
      const failures = await this.#drainFolder(folder, batchMax, store)
      if (failures.length === 0) await rm(folder, { recursive: true })
      return failures
    } finally {
      unlock()
    }
  }

  async #drainFolder(folder: string, batchMax: number, store: Store<Entry>): Promise<Error[]> {
    const failures: Error[] = []
    const segment = new RegExp(`^\\d+\\.${this.#format.entries}$`)
    for (const name of readdirSync(folder).filter((name) => segment.test(name))) {
      if (folder === this.#own && Number.parseInt(name, 10) > this.#sealed) continue
      const file = join(folder, name)
      const newestVersion = await drainFile(file, batchMax, this.#format, store)
      if (newestVersion <= this.#format.version) await rm(file)
      else failures.push(new NewerSegment(file, newestVersion, this.#format))
    }
    return failures
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
    const handle = await open(join(this.#own, `${++this.#segments}.${this.#format.entries}`), 'ax', 0o600)
    // A file whose directory entry is not on disk is lost in a power cut, with everything in it.
    const above = [this.#folder, dirname(this.#folder), dirname(dirname(this.#folder))]
    for (const folder of [this.#own, ...above]) await syncFolder(folder)
    return handle
  }
}

/** A segment with lines that only a newer release can read. */
class NewerSegment extends Error {
  constructor(file: string, version: number, readable: Omit<JournalFormat<never>, 'upgrade'>) {
    super(
      `${file} has lines of version ${version}, but this release reads versions up to ${readable.version}. ` +
        `The file is kept. Start the newer release again to store its ${readable.entries}.`,
    )
    this.name = 'NewerSegment'
  }
}

/** Whether reading or locking a file failed, and not storing its entries. */
const isFileError = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || 'errcode' in error)

/** Stores the entries that this release can read. Returns the newest version in the file. */
async function drainFile<Entry>(
  file: string,
  batchMax: number,
  format: JournalFormat<Entry>,
  store: Store<Entry>,
): Promise<number> {
  const handle = await open(file)
  try {
    let newestVersion = 0
    let entries: Entry[] = []
    for await (const text of handle.readLines()) {
      const line = parseLine(text)
      if (line === undefined) continue
      newestVersion = Math.max(newestVersion, line.version)
      if (line.version > format.version) continue
      const entry: unknown = JSON.parse(line.json)
      entries.push(line.version === format.version ? (entry as Entry) : format.upgrade(line.version, entry))
      if (entries.length === batchMax) {
        await store(entries)
        entries = []
      }
    }
    if (entries.length > 0) await store(entries)
    return newestVersion
  } finally {
    await handle.close()
  }
}
