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
