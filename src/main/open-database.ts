import { existsSync } from 'node:fs'
import { MINUTE_MS } from '../platform/clock/index.ts'
import { findDamagedDatabase } from '../platform/db/failures.ts'
import type { Database } from '../platform/db/index.ts'
import { requireMigrated } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import { finishWrites } from '../platform/db/unfinished-writes.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import type { Config } from './config.ts'
import { damagedDatabase } from './damaged-database.ts'
import { createDataDir } from './data-dir.ts'

/** No visitor waits for a command, so it does not give up on a busy database as early as a request. */
const COMMAND_WAIT_MS = MINUTE_MS

/** Opens the existing, migrated database for a command, and closes it afterwards. */
export const withDatabase = <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  requireDatabase(config)
  return using(config, async (database) => {
    await requireMigrated(database)
    await finishWrites(database)
    return work(database)
  })
}

/** The same for commands that may create a new database. */
export const withNewDatabase = <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  if ('file' in config.database) createDataDir(config.dataDir)
  return using(config, work)
}

/** Opening a missing file would create an empty database, in a folder that was probably mistyped. */
export function requireDatabase({ database, dataDir }: Config): void {
  if ('file' in database && !existsSync(database.file)) {
    throw new OperatorError(
      `There is no database in ${dataDir}. Check DATA_DIR, or run npm start or \`npx waymark migrate\` first.`,
    )
  }
}

export async function openExplained({ database }: Config, options: { waitMsMax?: number } = {}): Promise<Database> {
  try {
    return await openDatabase(database, options)
  } catch (error) {
    throw explainDatabase(error, database)
  }
}

export const explainDatabase = (error: unknown, location: Config['database']): OperatorError => {
  if (error instanceof OperatorError) return error
  const damage = findDamagedDatabase(error)
  if (damage !== undefined && 'file' in location) return damagedDatabase(location.file, damage.message)
  // If several addresses were tried, Node throws an AggregateError without a message.
  const { message, code = 'no response' } = error as NodeJS.ErrnoException
  const [name, remedy] =
    'url' in location
      ? ['at DATABASE_URL', 'Check that the setting is correct and that the server is running.']
      : [location.file, 'Check the file and its permissions, or set DATA_DIR to another folder.']
  return new OperatorError(`Cannot use the database ${name}: ${message || code}. ${remedy}`, { cause: error })
}

async function using<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openExplained(config, { waitMsMax: COMMAND_WAIT_MS })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
