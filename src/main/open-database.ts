import { existsSync } from 'node:fs'
import type { Database } from '../platform/db/index.ts'
import { listUnknownMigrations } from '../platform/db/known-migrations.ts'
import { pendingMigrations } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import { type Config, UsageError } from './config.ts'
import { createDataDir } from './data-dir.ts'

/** For commands that need the data: opens it, and lets go of it however the work ends. */
export const withDatabase = <T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> => {
  requireDatabase(config)
  return using(config, async (database) => {
    await requireCurrent(database)
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
    throw new UsageError(`There is no database in ${dataDir} yet. Run npm start or \`waymark migrate\` first.`)
  }
}

export async function openExplained({ database }: Config): Promise<Database> {
  try {
    return await openDatabase(database)
  } catch (error) {
    throw explainDatabase(error, database)
  }
}

export const explainDatabase = (error: unknown, location: Config['database']): UsageError => {
  // Several addresses were tried: then each has its own message and the whole has none.
  const { message, code = 'no answer' } = error as NodeJS.ErrnoException
  const what = 'url' in location ? 'at DATABASE_URL' : location.file
  return new UsageError(`The database ${what} cannot be used: ${message || code}`, { cause: error })
}

/** What the platform says of the data in errors of its own, where whoever runs the command can put it right. */
export function explainData(error: unknown): string | undefined {
  const { message } = error as Error
  if (message.includes('SECRET_KEY')) return message
  // The migrator's words for a database that has gone through steps which this code does not have.
  if (message.includes('corrupted migrations')) return NEWER
  return undefined
}

const NEWER = 'A newer Waymark has used this database. Use that version or a later one.'

async function using<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openExplained(config)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function requireCurrent(database: Database): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    throw new UsageError(
      `The database is not up to date: it lacks ${pending.join(', ')}. Run npm start or \`waymark migrate\` first.`,
    )
  }
  if ((await listUnknownMigrations(database.read)).length > 0) throw new UsageError(NEWER)
}
