import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { constants, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lockFile } from '../files/file-lock.ts'
import { ifMissing } from '../files/staging.ts'
import { syncFolder } from '../files/sync-folder.ts'
import { newId } from '../ids/index.ts'
import { JournalFile, type Texts } from './journal-file.ts'

const LOCK = 'lock'

/** While the database is away, a file grows to this size. Then entries are refused. */
const FILE_BYTES_MAX = 4 * 1024 ** 3

export interface JournalFormat {
  /** What the entries are called, such as `scans`. Files have it as their extension. */
  entries: string
  /** Written to every line. Raise it whenever entries change. */
  version: number
}

/** Stores texts that were appended, each by a release that had this version of the format. */
export type StoreTexts = (texts: Texts) => Promise<void>

/**
 * Durable storage for entries that the database has not got yet. A text holds several of them; an incomplete one is
 * ignored, because its `append` never resolved.
 *
 * A process has two files and uses them in turn: while one is being stored, new texts go to the other. Both are written
 * again from their start, because a file that does not grow is synced twice as fast.
 *
 * Each process has its own folder inside `folder` and holds a lock on it. When a process exits or crashes, its lock is
 * released, and the next process that folds takes over its files.
 */
export class Journal {
  readonly #folder: string
  readonly #format: JournalFormat
  /** Created by the first append: many processes record nothing. */
  #own: { folder: string; unlock: () => void } | undefined
  #files: [JournalFile, JournalFile] | undefined
  /** The one that is complete and being stored. */
  #sealed: JournalFile | undefined
  /** Serialises all work on the current file. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(folder: string, format: JournalFormat) {
    this.#folder = folder
    this.#format = format
  }

  /** Resolves when all texts are on disk. If it rejects, none of them is stored later. */
  append(texts: readonly string[]): Promise<void> {
    return this.#inTurn(async () => {
      this.#files ??= await this.#open()
      const [file] = this.#files
      if (file.bytes > FILE_BYTES_MAX) throw new Error('the journal has reached its limit')
      await file.append(texts)
    })
  }

  /** When the oldest text was appended that is not stored. */
  get sinceMs(): number | undefined {
    return this.#sealed?.sinceMs ?? this.#files?.[0].sinceMs
  }

  /**
   * Passes all texts on to `store` that were appended before the call, and those of processes that have ended. `store` gets
   * a text again when the process ends, or `store` fails, before all of its file is stored.
   *
   * Returns the failures to read other processes' files; these files stay and do not hold up the others. A file with lines of
   * a newer release counts as such a failure. What can be read of it is stored, again every time.
   */
  async fold(store: StoreTexts): Promise<Error[]> {
    // The last fold may have failed.
    await this.#storeSealed(store)
    await this.#seal()
    await this.#storeSealed(store)
    const failures: Error[] = []
    for (const entry of await readdir(this.#folder, { withFileTypes: true }).catch(ifMissing([]))) {
      const folder = join(this.#folder, entry.name)
      if (folder === this.#own?.folder || entry.name.startsWith('.') || !entry.isDirectory()) continue
      try {
        failures.push(...(await this.#takeOver(folder, store)))
      } catch (error) {
        if (!isFileError(error)) throw error
        failures.push(error)
      }
    }
    return failures
  }

  /** The bytes that are not stored yet: its own, and the files that other processes have left. */
  async sizeBytes(): Promise<number> {
    const extension = `.${this.#format.entries}`
    let bytes = this.#files?.reduce((sum, file) => sum + file.bytes, 0) ?? 0
    // Files and folders may be stored and deleted in the meantime.
    for (const name of await readdir(this.#folder, { recursive: true }).catch(ifMissing([]))) {
      const path = join(this.#folder, name)
      if (!name.endsWith(extension) || dirname(path) === this.#own?.folder) continue
      bytes += (await stat(path).catch(ifMissing({ size: 0 }))).size
    }
    return bytes
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {
      for (const file of this.#files ?? []) await file.close()
    })
    if (this.#own === undefined) return
    const { folder, unlock } = this.#own
    unlock()
    await rm(join(folder, LOCK), { force: true })
    // Fails when texts are left. Then the folder stays for the next process.
    await rmdir(folder).catch(() => {})
  }

  /** From now on, texts go to the other file. */
  #seal(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#files === undefined) return
      const [current, other] = this.#files
      if (current.bytes === 0) return
      this.#sealed = current
      this.#files = [other, current]
    })
  }

  async #storeSealed(store: StoreTexts): Promise<void> {
    if (this.#sealed === undefined) return
    await this.#sealed.read(store)
    await this.#sealed.clear()
    this.#sealed = undefined
  }

  async #takeOver(folder: string, store: StoreTexts): Promise<Error[]> {
    const unlock = lockFile(join(folder, LOCK))
    if (unlock === undefined) return []
    try {
      const failures = await this.#foldFolder(folder, store)
      if (failures.length === 0) await rm(folder, { recursive: true })
      return failures
    } finally {
      unlock()
    }
  }

  async #foldFolder(folder: string, store: StoreTexts): Promise<Error[]> {
    const failures: Error[] = []
    const named = new RegExp(`^\\d+\\.${this.#format.entries}$`)
    for (const name of readdirSync(folder).filter((name) => named.test(name))) {
      const path = join(folder, name)
      const file = new JournalFile(path, await open(path), this.#format.version)
      try {
        const newestVersion = await file.read(store)
        if (newestVersion <= this.#format.version) await rm(path)
        else failures.push(new NewerFile(path, newestVersion, this.#format))
      } finally {
        await file.handle.close()
      }
    }
    return failures
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => {})
    return done
  }

  async #open(): Promise<[JournalFile, JournalFile]> {
    this.#own ??= createOwn(this.#folder)
    const { folder } = this.#own
    const files: JournalFile[] = []
    try {
      for (const name of ['1', '2']) {
        const path = join(folder, `${name}.${this.#format.entries}`)
        const { O_RDWR, O_CREAT, O_DSYNC } = constants
        const handle = await open(path, O_RDWR | O_CREAT | O_DSYNC, 0o600)
        files.push(new JournalFile(path, handle, this.#format.version))
      }
      // A file whose directory entry is not on disk is lost in a power cut, with everything in it.
      const above = [this.#folder, dirname(this.#folder), dirname(dirname(this.#folder))]
      for (const one of [folder, ...above]) await syncFolder(one)
    } catch (error) {
      for (const { handle } of files) await handle.close()
      throw error
    }
    return files as [JournalFile, JournalFile]
  }
}

function createOwn(folder: string): { folder: string; unlock: () => void } {
  const name = newId()
  // Other processes skip hidden folders, so none can take this one over before it is locked.
  const hidden = join(folder, `.${name}`)
  // Other users of the machine have no business here.
  mkdirSync(hidden, { recursive: true, mode: 0o700 })
  try {
    const unlock = lockFile(join(hidden, LOCK))
    if (unlock === undefined) throw new Error(`the new folder ${hidden} is already locked by another process`)
    renameSync(hidden, join(folder, name))
    return { folder: join(folder, name), unlock }
  } catch (error) {
    rmSync(hidden, { recursive: true, force: true })
    throw error
  }
}

/** A file with lines that only a newer release can read. */
class NewerFile extends Error {
  constructor(file: string, version: number, readable: JournalFormat) {
    super(
      `${file} has lines of version ${version}, but this release reads versions up to ${readable.version}. ` +
        `The file is kept. Start the newer release again to store its ${readable.entries}.`,
    )
    this.name = 'NewerFile'
  }
}

/** Whether reading or locking a file failed, and not storing its entries. */
const isFileError = (error: unknown): error is Error =>
  error instanceof Error && ('syscall' in error || 'errcode' in error)
