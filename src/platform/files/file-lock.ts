import { DatabaseSync } from 'node:sqlite'

const BUSY = 5

/**
 * Takes an exclusive lock on a file that is used for nothing else. Returns the function that releases it, or undefined
 * if another process holds it. The operating system releases the lock when the process ends, even if it crashes.
 */
export function lockFile(file: string): (() => void) | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file)
    // Nothing is written, so no journal is needed. It would be a second file, and a rename would leave it behind.
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
  return () => lock.close()
}
