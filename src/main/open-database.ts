import { existsSync } from 'node:fs'
import type { Database } from '../platform/db/index.ts'
import { requireMigrated } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import type { Config } from './config.ts'
import { createDataDir } from './data-dir.ts'

/** For commands that need the data: opens it, and lets go of it however the work ends. */
export const withDatabase = <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  requireDatabase(config)
  return using(config, async (database) => {
    await requireMigrated(database)
    return work(database)
  })
}

/** For the commands that set data up, and may make a new database. */
export const withNewDatabase = <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  if ('file' in config.database) createDataDir(config.dataDir)
  return using(config, work)
}

/** Opening a file that is not there would make an empty database, in a folder that was probably mistyped. */
export function requireDatabase({ database, dataDir }: Config): void {
  if ('file' in database && !existsSync(database.file)) {
    throw new OperatorError(`There is no database in ${dataDir} yet. Run npm start or \`waymark migrate\` first.`)
  }
}

export async function openExplained({ database }: Config): Promise<Database> {
  try {
    return await openDatabase(database)
  } catch (error) {
    throw explainDatabase(error, database)
  }
}

export const explainDatabase = (error: unknown, location: Config['database']): OperatorError => {
  if (error instanceof OperatorError) return error
  // Several addresses were tried: then each has its own message and the whole has none.
  const { message, code = 'no answer' } = error as NodeJS.ErrnoException
  const what = 'url' in location ? 'at DATABASE_URL' : location.file
  return new OperatorError(`The database ${what} cannot be used: ${message || code}`, { cause: error })
}

async function using<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openExplained(config)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
