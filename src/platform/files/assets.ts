import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, systemClock } from '../clock/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import { syncFolder } from './sync-folder.ts'

/** Files that are stored next to the database. We choose their names, never a customer. */
export interface Assets {
  /**
   * Writes the chunks as they arrive and returns their size. The file appears under its name only when it is complete
   * and on disk.
   */
  save(name: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<number>
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>
  /** Opens a file for reading; undefined if there is none. The caller closes it. */
  open(name: string): Promise<FileHandle | undefined>
  /** Removes partial files that a crash left behind. */
  removeLeftovers(): Promise<void>
}

const PARTIAL = '.partial'
/**
 * After this many bytes, a large file is synced, and the disk is left to others for as long as that took. Otherwise, every
 * commit of the database would wait for whole files.
 */
const SYNC_BYTES = 512 * 1024
/** A younger file may belong to a save that is still running, also in another process that shares the folder. */
const LEFTOVER_AGE_MS = MINUTE_MS

/** The first save creates the folder. */
export function openAssets(folder: string): Assets {
  return {
    async save(name, chunks) {
      await mkdir(folder, { recursive: true })
      const path = join(folder, name)
      const partial = path + PARTIAL
      try {
        const bytes = await writeDurably(partial, chunks)
        await rename(partial, path)
        await syncFolder(folder)
        return bytes
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
    open: (name) => open(join(folder, name)).catch(ifMissing(undefined)),
    async removeLeftovers() {
      const entries = await opendir(folder).catch(ifMissing([]))
      for await (const { name } of entries) {
        if (!name.endsWith(PARTIAL)) continue
        const path = join(folder, name)
        // Missing if its save has just renamed it.
        const { mtimeMs } = await stat(path).catch(ifMissing({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (systemClock() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true })
      }
    },
  }
}

/**
 * Removes leftovers in the background, at the start and once more when those of a crash shortly before the start are old
 * enough. Returns a function that stops it.
 */
export function startSweep(assets: Assets, log: Logger): () => Promise<void> {
  let running = Promise.resolve()
  const sweep = () => {
    running = assets.removeLeftovers().catch((error) => log.error({ err: error }, 'failed to remove partial files'))
  }
  const timer = setTimeout(sweep, LEFTOVER_AGE_MS)
  timer.unref()
  sweep()
  return () => {
    clearTimeout(timer)
    return running
  }
}

async function writeDurably(path: string, chunks: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<number> {
  const file = await open(path, 'w')
  try {
    let bytes = 0
    let unsyncedBytes = 0
    for await (const chunk of chunks) {
      await file.writeFile(chunk)
      bytes += chunk.length
      unsyncedBytes += chunk.length
      if (unsyncedBytes < SYNC_BYTES) continue
      await syncAndRest(file)
      unsyncedBytes = 0
    }
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}

async function syncAndRest(file: FileHandle): Promise<void> {
  const startedAtMs = performance.now()
  await file.datasync()
  await sleep(performance.now() - startedAtMs)
}

const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
