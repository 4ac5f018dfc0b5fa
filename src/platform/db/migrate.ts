import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type ColumnTypes, columnTypes } from './columns.ts'
import { DatabaseUnavailable } from './failures.ts'
import type { Database, Engine } from './types.ts'

/** What a file in migrations/ exports as `up`: one step, the same for both engines. */
export type MigrationStep = (db: Kysely<unknown>, types: ColumnTypes, engine: Engine) => Promise<void>

const FOLDER = new URL('../../../migrations/', import.meta.url)

/** Brings the database to the newest step. Several processes may try at once: the rest wait for the first one. */
export async function migrate(database: Database): Promise<string[]> {
  const { error, results = [] } = await migrator(database).migrateToLatest()
  if (error instanceof DatabaseUnavailable && error.locked) return migrate(database)
  const failed = results.find(({ status }) => status === 'Error')
  if (error !== undefined) {
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return results.map(({ migrationName }) => migrationName)
}

/** The steps that this code has and the database has not. */
export async function pendingMigrations(database: Database): Promise<string[]> {
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
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.ts')).sort()
  const steps: Record<string, Migration> = {}
  for (const file of files) {
    const { up } = (await import(new URL(file, FOLDER).href)) as { up: MigrationStep }
    steps[file.replace(/\.ts$/, '')] = {
      up: async (db) => {
        // A step over a large table may take longer than any request would be given.
        if (engine === 'postgres') await sql`set local statement_timeout = 0`.execute(db)
        await up(db, columnTypes[engine], engine)
      },
    }
  }
  return steps
}
