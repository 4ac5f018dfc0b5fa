import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../platform/db/migrate.ts'
import { type DatabaseLocation, openDatabase } from '../platform/db/open.ts'
import { startPostgres } from './engines/postgres.ts'

export const TEMPLATE = 'waymark_template'

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'sqlite' | 'postgres'
    /** The migrated file that every SQLite test copies. */
    sqliteTemplate: string
    /** The URL of the server with the migrated template database. Ends with `/`: append the database name. */
    postgresServer: string
    /** The tables that have an organisation in every row. Reading the schema again for every test would take long. */
    tenantTables: Record<'sqlite' | 'postgres', string[]>
  }
}

/** Runs once for all tests: migrates a template on both engines. Each test file gets its own copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-tests-'))
  const sqliteTemplate = join(folder, 'template.db')

  // There are hundreds of databases in the end. To look after all of them would take a good part of a processor, and so would
  // writing all of them to disk again and again.
  const [postgres, sqlite] = await Promise.all([
    startPostgres('autovacuum=off', 'checkpoint_timeout=1d', 'max_wal_size=16GB'),
    migrateTemplate({ file: sqliteTemplate }),
  ])
  const admin = new pg.Client({ connectionString: postgres.url('postgres') })
  await admin.connect()
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  const tenantTables = { sqlite, postgres: await migrateTemplate({ url: postgres.url(TEMPLATE) }) }

  project.provide('sqliteTemplate', sqliteTemplate)
  project.provide('postgresServer', postgres.url(''))
  project.provide('tenantTables', tenantTables)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Returns the tables that have an organisation in every row. */
async function migrateTemplate(location: DatabaseLocation): Promise<string[]> {
  const database = await openDatabase(location)
  await migrate(database)
  const tables = await database.kysely.introspection.getTables()
  await database.close()
  return tables.filter(({ columns }) => columns.some(({ name }) => name === 'org_id')).map(({ name }) => name)
}
