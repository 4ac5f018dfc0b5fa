import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { lockFile } from '../platform/files/file-lock.ts'

export function createDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
  } catch (error) {
    throw unwritable(dataDir, error as Error)
  }
}

/** One service per data folder: two would each count the rate limits alone. */
export function lockDataDir(dataDir: string): () => void {
  createDataDir(dataDir)
  let unlock: (() => void) | undefined
  try {
    unlock = lockFile(join(dataDir, 'service.lock'))
  } catch (error) {
    throw unwritable(dataDir, error as Error)
  }
  if (unlock !== undefined) return unlock
  throw new OperatorError(`Another Waymark is running on ${dataDir}. Stop it, or set DATA_DIR to another folder.`)
}

const unwritable = (dataDir: string, { message }: Error): OperatorError =>
  new OperatorError(
    `The folder ${dataDir} cannot be written (${message}). Make it writable, or set DATA_DIR to another folder.`,
  )
