import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { systemClock, timestamp } from '../clock/index.ts'
import { OperatorError, UnusableDatabase } from '../errors/operator-error.ts'
import { describeBuild } from '../telemetry/build.ts'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import { DatabaseUnavailable } from './failures.ts'
import { isSqlite } from './is-sqlite.ts'
import { disableTimeouts } from './postgres/timeouts.ts'
import { explainNewerSchema, FIRST_RECORDED, type NewerSchema, selectNewerSchema } from './schema-steps.ts'
import type { Tables } from './tables.generated.ts'
import type { Database, Db, Engine, Tx } from './types.ts'
import { finishWrites } from './unfinished-writes.ts'

/** The function `up` that every file in migrations/ exports. It runs on both engines. */
export type MigrationStep = (db: Kysely<unknown>, types: ColumnTypes, engine: Engine) => Promise<void>

/** What a file in migrations/ exports. */
interface MigrationFile {
  up: MigrationStep
  /** The version before cannot use the database any more: see docs/versions.md. */
  isBreaking?: true
}

const FOLDER = new URL('../../../migrations/', import.meta.url)

/**
 * Runs all pending migrations. If several processes try at once, the others wait for the first one. Does nothing if a newer
 * version has migrated the database and this one can still use it.
 */
export async function migrate(database: Database): Promise<string[]> {
  if ((await pendingMigrations(database)).length === 0) {
    await refuseBreakingSchema(database.read)
    return []
  }
  const applied: string[] = await listAppliedMigrations(database.read).catch(() => [])
  await refuseForeign(database, applied)
  // Their statements fit the schema that they were stored with.
  if (applied.includes('0055_unfinished_writes')) await finishWrites(database)
  const { error, results = [] } = await migrator(database.kysely).migrateToLatest()
  if (isWaiting(error)) return migrate(database)
  if (error !== undefined) {
    const newer = await findNewerSchema(database.read).catch(() => undefined)
    if (newer !== undefined) throw new UnusableDatabase(explainNewerSchema(newer))
    const failed = results.find(({ status }) => status === 'Error')
    throw new Error(`Migration ${failed?.migrationName ?? ''} failed: ${(error as Error).message}`, {
      cause: error,
    })
  }
  return results.map(({ migrationName }) => migrationName)
}

/** Migrates an empty database up to this step, for rows of an older version. */
export async function migrateTo(database: Database, name: string): Promise<void> {
  const { error } = await migrator(database.kysely).migrateTo(name)
  if (error !== undefined) throw error
}

/** The same in a transaction, up to the newest step. */
export async function migrateInTransaction(tx: Tx): Promise<void> {
  const { error } = await migrator(tx).migrateToLatest()
  if (error !== undefined) throw error
}

/** Tables of another application would be mixed with ours, and mistaken for them. */
async function refuseForeign({ engine, kysely }: Database, applied: readonly string[]): Promise<void> {
  const known = new Set(await listKnownMigrations())
  if (applied.some((name) => known.has(name))) return
  const tables = engine === 'sqlite' ? SQLITE_TABLES : POSTGRES_TABLES
  const names = (await tables.execute(kysely)).rows.map(({ name }) => name)
  // The migrator creates its own tables first.
  const foreign = names.filter((name) => applied.length > 0 || !/^migrations(_lock)?$/.test(name))
  if (foreign.length === 0) return
  const shown = foreign.length > NAMED_MAX ? [...foreign.slice(0, NAMED_MAX), '…'] : foreign
  throw new UnusableDatabase(
    `This is not a database of Waymark: it has the tables ${shown.join(', ')}. Nothing was changed. Give Waymark an empty database of its own.`,
  )
}

const NAMED_MAX = 5

const SQLITE_TABLES = sql<{ name: string }>`
  select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name`

/** Leaves out those of extensions. */
const POSTGRES_TABLES = sql<{ name: string }>`
  select relname::text as name from pg_class c
  where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by relname`

/** PostgreSQL has ended a statement that took too long. */
const STATEMENT_TIMEOUT = '57014'

/** Whether another process has migrated for longer than a statement may wait. Migrations themselves have no timeouts. */
const isWaiting = (error: unknown): boolean =>
  error instanceof DatabaseUnavailable &&
  (error.locked || (error.cause as { code?: string } | undefined)?.code === STATEMENT_TIMEOUT)

/** Processes that do not migrate the database themselves call this. */
export async function requireMigrated(database: Database): Promise<void> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    throw new OperatorError(
      `The database is not up to date: it lacks ${pending.join(', ')}. Run npm start or \`npx waymark migrate\` first.`,
    )
  }
  await refuseBreakingSchema(database.read)
}

/** Unless all steps that this version does not know are additive: then both versions can use the database side by side. */
async function refuseBreakingSchema(db: Db): Promise<void> {
  const newer = await findNewerSchema(db)
  if (newer !== undefined && !newer.isUsable) throw new UnusableDatabase(explainNewerSchema(newer))
}

/** Undefined if this version knows all steps of the database. */
export const findNewerSchema = async (db: Db): Promise<NewerSchema | undefined> =>
  selectNewerSchema(db, await listKnownMigrations())

/** The migrations of this version, in order. */
export async function listKnownMigrations(): Promise<string[]> {
  const files = await readdir(FOLDER)
  return files.flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : [])).sort()
}

export async function listAppliedMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** Usually none. The migrator would read the whole schema and load every migration to find that out. */
export async function pendingMigrations({ read }: Database): Promise<string[]> {
  // Before the first migration, there is no table to read.
  const applied = new Set(await listAppliedMigrations(read).catch(() => []))
  return (await listKnownMigrations()).filter((name) => !applied.has(name))
}

const migrator = (db: Kysely<Tables>): Migrator =>
  new Migrator({
    db,
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
    provider: { getMigrations: () => load(isSqlite(db) ? 'sqlite' : 'postgres') },
  })

async function load(engine: Engine): Promise<Record<string, Migration>> {
  const steps: Record<string, Migration> = {}
  for (const name of await listKnownMigrations()) {
    const { up, isBreaking = false } = await readMigration(name)
    steps[name] = {
      up: async (db) => {
        // A migration of a large table may take longer than the timeouts allow for a request.
        if (engine === 'postgres') await disableTimeouts(db)
        await up(db, columnTypes[engine], engine)
        if (name >= FIRST_RECORDED) await recordStep(db, name, isBreaking)
      },
    }
  }
  return steps
}

export const readMigration = async (name: string): Promise<MigrationFile> =>
  (await import(new URL(`${name}.ts`, FOLDER).href)) as MigrationFile

async function recordStep(db: Kysely<unknown>, name: string, isBreaking: boolean): Promise<void> {
  const now = timestamp(systemClock())
  await sql`insert into schema_steps (name, build, is_breaking, created_at)
    values (${name}, ${describeBuild()}, ${isBreaking}, ${now})`.execute(db)
}
