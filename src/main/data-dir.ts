import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../platform/operator-error.ts'

const BUSY = 5

export function createDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    throw unwritable(dataDir, error as Error)
  }
}

/**
 * One service per data folder: two would each count the rate limits alone. The lock is one that the system
 * takes back by itself when the process ends, however it ends.
 */
export function lockDataDir(dataDir: string): () => void {
  createDataDir(dataDir)
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(join(dataDir, 'service.lock'))
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === BUSY) {
      throw new OperatorError(`Another Waymark is running on ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
    }
    throw unwritable(dataDir, error as Error)
  }
  return () => lock.close()
}

const unwritable = (dataDir: string, { message }: Error): OperatorError =>
  new OperatorError(
    `The folder ${dataDir} cannot be written (${message}). Make it writable, or set DATA_DIR to another folder.`,
  )
