import { DatabaseSync } from 'node:sqlite'

const BUSY = 5

/**
 * Locks a file of its own, and answers how to let go; undefined when another process holds it. The lock is one that
 * the system takes back by itself when the process ends, however it ends.
 */
export function lockFile(file: string): (() => void) | undefined {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file)
    // Nothing is ever written that could be rolled back; a journal would be a second file, left behind by a rename.
    lock.exec('pragma journal_mode = memory; pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === BUSY) return undefined
    throw error
  }
  return () => lock.close()
}
