import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE_MS, systemClock } from '../clock/index.ts'
import { newId } from '../ids/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import type { AssetStore, HeldFile, StagedFile } from './asset-store.ts'

const PARTIAL = '.partial'
/**
 * After this many bytes, a large file is synced, and the disk is left to others for as long as that took. Otherwise, every
 * commit of the database would wait for whole files.
 */
const SYNC_BYTES = 512 * 1024
/**
 * A younger file may belong to a request that is still running, also in another process that shares the folder. A request
 * with 20 images of slow hosts takes four minutes at most.
 */
const LEFTOVER_AGE_MS = 10 * MINUTE_MS

/** Puts a staged file into the store. It may move it away. */
type Store = (file: Pick<StagedFile, 'path' | 'sizeBytes' | 'sha256'>, name: string, mediaType: string) => Promise<void>

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>

/** Writes a file durably into the folder. */
export async function stageFile(folder: string, chunks: Chunks, store: Store): Promise<StagedFile> {
  const hash = createHash('sha256')
  const hashed = async function* () {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const held = await writePartial(folder, hashed(), true)
  const written = { ...held, sha256: hash.digest('hex') }
  return { ...written, store: (name, mediaType) => store(written, name, mediaType) }
}

/** Writes a file into the folder that need not survive a crash. */
export const holdFile = (folder: string, chunks: Chunks): Promise<HeldFile> => writePartial(folder, chunks, false)

/** Writes a file under a name of its own. The first one creates the folder. Other users of the machine can read neither. */
async function writePartial(folder: string, chunks: Chunks, isDurable: boolean): Promise<HeldFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, newId() + PARTIAL)
  const discard = () => rm(path, { force: true })
  try {
    return { path, sizeBytes: await write(path, chunks, isDurable), discard }
  } catch (error) {
    await discard()
    throw error
  }
}

/** Removes old staged files from the folder. */
export async function removeStaged(folder: string): Promise<void> {
  const entries = await opendir(folder).catch(ifMissing([]))
  for await (const { name } of entries) {
    if (!name.endsWith(PARTIAL)) continue
    const path = join(folder, name)
    // Missing if its request has just stored or discarded it.
    const { mtimeMs } = await stat(path).catch(ifMissing({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (systemClock() - mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true })
  }
}

/**
 * Removes leftovers in the background, at the start and once more when those of a crash shortly before the start are old
 * enough. Returns a function that stops it.
 */
export function startSweep(store: AssetStore, log: Logger): () => Promise<void> {
  let running = Promise.resolve()
  const sweep = () => {
    running = store.removeLeftovers().catch((error) => log.error({ err: error }, 'failed to remove partial files'))
  }
  const timer = setTimeout(sweep, LEFTOVER_AGE_MS)
  timer.unref()
  sweep()
  return () => {
    clearTimeout(timer)
    return running
  }
}

/** Checks a store as `AssetStore.check` says. */
export async function checkStore(store: AssetStore): Promise<void> {
  const content = `Waymark checks this store: ${newId()}`
  const name = `check-${newId()}.txt`
  const staged = await store.stage([Buffer.from(content)])
  try {
    await staged.store(name, 'text/plain')
    const chunks = await (await store.open(name))?.read().then((stream) => stream.toArray())
    if (chunks === undefined || Buffer.concat(chunks).toString() !== content)
      throw new Error('a file cannot be read back as it was written')
    await store.remove(name)
    if ((await store.open(name)) !== undefined) throw new Error('a file cannot be removed')
  } finally {
    await staged.discard()
  }
}

/** Returns the size. */
async function write(path: string, chunks: Chunks, isDurable: boolean): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    let sizeBytes = 0
    let unsyncedBytes = 0
    for await (const chunk of chunks) {
      await file.writeFile(chunk)
      sizeBytes += chunk.length
      unsyncedBytes += chunk.length
      if (!isDurable || unsyncedBytes < SYNC_BYTES) continue
      await syncAndRest(file)
      unsyncedBytes = 0
    }
    if (isDurable) await file.sync()
    return sizeBytes
  } finally {
    await file.close()
  }
}

async function syncAndRest(file: FileHandle): Promise<void> {
  const startedAtMs = performance.now()
  await file.datasync()
  await sleep(performance.now() - startedAtMs)
}

export const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead
    throw error
  }
