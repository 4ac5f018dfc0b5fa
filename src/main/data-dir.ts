import { chmodSync, mkdirSync, opendirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { lockFile } from '../platform/files/file-lock.ts'

/** What Waymark stores in the data folder. */
const OWN_NAMES = /^(waymark\.db(-wal|-shm)?|service\.lock|last-backup(\.partial)?|scans|views|assets)$/
const OTHER_USERS = 0o077
/** Closing this many takes about a tenth of a second. The rest of a larger folder is protected by the folder. */
const CLOSED_MAX = 10_000

/**
 * Creates the folder, closed to other users, as is everything that this process creates from then on. Returns what other
 * users have access to all the same.
 */
export function createDataDir(dataDir: string): string[] {
  try {
    process.umask(OTHER_USERS)
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    throw unwritable(dataDir, error as Error)
  }
  return closeToOthers(dataDir)
}

/** Returns what other users of the machine have access to: the data folder, and what Waymark stores in it. */
export function listOpenToOthers(dataDir: string): string[] {
  const own = readdirSync(dataDir).filter((name) => OWN_NAMES.test(name))
  return [dataDir, ...own.map((name) => join(dataDir, name))].filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHER_USERS) !== 0,
  )
}

/**
 * An earlier release, or a copy, left these open. A folder that holds other files, too, stays as the operator has set it
 * up. Returns what is still open.
 */
function closeToOthers(dataDir: string): string[] {
  // Windows has no such permissions.
  if (process.platform === 'win32') return []
  try {
    const isOurs = readdirSync(dataDir).every((name) => OWN_NAMES.test(name))
    for (const path of listOpenToOthers(dataDir)) {
      if (path !== dataDir) closeContent(path)
      if (isOurs || path !== dataDir) close(path)
    }
    return listOpenToOthers(dataDir)
  } catch {
    // Another user owns it.
    return [dataDir]
  }
}

/** Runs before the folder itself is closed, so that the next start goes on after a crash. */
function closeContent(folder: string): void {
  if (!statSync(folder).isDirectory()) return
  const entries = opendirSync(folder, { recursive: true })
  try {
    for (let n = 0; n < CLOSED_MAX; n++) {
      const entry = entries.readSync()
      if (entry === null) return
      if (entry.isFile() || entry.isDirectory()) close(join(entry.parentPath, entry.name))
    }
  } finally {
    entries.closeSync()
  }
}

const close = (path: string): void => chmodSync(path, statSync(path).mode & ~OTHER_USERS)

/** Ensures one service per data folder: two would count the rate limits separately. */
export function lockDataDir(dataDir: string): () => void {
  createDataDir(dataDir)
  let unlock: (() => void) | undefined
  try {
    unlock = lockFile(join(dataDir, 'service.lock'))
  } catch (error) {
    throw unwritable(dataDir, error as Error)
  }
  if (unlock !== undefined) return unlock
  throw new OperatorError(`Another Waymark process is using ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
}

const unwritable = (dataDir: string, { message }: Error): OperatorError =>
  new OperatorError(
    `Cannot write to the folder ${dataDir} (${message}). Make it writable, or set DATA_DIR to another folder.`,
  )
