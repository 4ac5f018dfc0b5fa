import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { OperatorError } from '../errors/operator-error.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import { DatabaseUnavailable } from './failures.ts'
import { disableTimeouts } from './postgres/timeouts.ts'
import type { Database, Db, Engine } from './types.ts'

/** The function `up` that every file in migrations/ exports. It runs on both engines. */
export type MigrationStep = (db: Kysely<unknown>, types: ColumnTypes, engine: Engine) => Promise<void>

const FOLDER = new URL('../../../migrations/', import.meta.url)
const NEWER = 'A newer Waymark has used this database. Use that version or a later one.'

/** Runs all pending migrations. If several processes try at once, the others wait for the first one. */
export async function migrate(database: Database): Promise<string[]> {
  if (await isUpToDate(database.read)) return []
  const { error, results = [] } = await migrator(database).migrateToLatest()
  if (isWaiting(error)) return migrate(database)
  if (error !== undefined) {
    if ((await listUnknownMigrations(database.read).catch(() => [])).length > 0) throw new OperatorError(NEWER)
    const failed = results.find(({ status }) => status === 'Error')
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return results.map(({ migrationName }) => migrationName)
}

/** PostgreSQL has ended a statement that took too long. */
const STATEMENT_TIMEOUT = '57014'

/** Whether another process has migrated for longer than a statement may wait. Migrations themselves have no timeouts. */
const isWaiting = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  (error.locked || (error.cause as { code?: string } | undefined)?.code === STATEMENT_TIMEOUT)

/** Usually true. The migrator would read the whole schema and load every migration to find that out. */
async function isUpToDate(db: Db): Promise<boolean> {
  // Before the first migration, there is no table to read.
  const applied = await listAppliedMigrations(db).catch(() => [])
  return applied.join() === (await listKnownMigrations()).join()
}

/** Processes that do not migrate the database themselves call this. */
export async function requireMigrated(database: Database): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    throw new OperatorError(
      `The database is not up to date: it lacks ${pending.join(', ')}. Run npm start or \`npx waymark migrate\` first.`,
    )
  }
  if ((await listUnknownMigrations(database.read)).length > 0) throw new OperatorError(NEWER)
}

/** The migrations of this version, in order. */
export async function listKnownMigrations(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : [])).sort()
}

export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Applied migrations that this version does not know: a newer version has used the database. */
export async function listUnknownMigrations(db: Db): Promise<string[]> {
  const known = new Set(await listKnownMigrations())
  return (await listAppliedMigrations(db)).filter((name) => !known.has(name))
}

export async function pendingMigrations(database: Database): Promise<string[]> {
  if (await isUpToDate(database.read)) return []
  const all = await migrator(database).getMigrations()
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

function migrator(database: Database): Migrator {
  return new Migrator({
    db: database.kysely,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    provider: { getMigrations: () => load(database.engine) },
  })
}

async function load(engine: Engine): Promise<Record<string, Migration>> {
  const steps: Record<string, Migration> = {}
  for (const name of await listKnownMigrations()) {
    const { up } = (await import(new URL(`${name}.ts`, FOLDER).href)) as { up: MigrationStep }
    steps[name] = {
      up: async (db) => {
        // A migration of a large table may take longer than the timeouts allow for a request.
        if (engine === 'postgres') await disableTimeouts(db)
        await up(db, columnTypes[engine], engine)
      },
    }
  }
  return steps
}
