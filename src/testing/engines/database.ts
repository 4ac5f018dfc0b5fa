import { randomBytes } from 'node:crypto'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import type { DatabaseLocation } from '../../platform/db/open.ts'
import { TEMPLATE } from '../setup.ts'

export interface TestDatabase {
  readonly engine: 'sqlite' | 'postgres'
  readonly location: DatabaseLocation
  /** A temporary folder for the test. */
  readonly folder: string
  /** On PostgreSQL the database stays until the server ends: to drop it, the server would write all others to disk. */
  drop(): Promise<void>
}

/** Creates a copy of the migrated template, by default on the engine of this test run. */
export async function createDatabase(engine = inject('engine')): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-test-'))
  const dropFolder = () => rm(folder, { recursive: true, force: true })
  if (engine === 'sqlite') {
    const file = join(folder, 'waymark.db')
    await copyFile(inject('sqliteTemplate'), file)
    await chmod(file, 0o600)
    return { engine, location: { file }, folder, drop: dropFolder }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(`create database ${name} template ${TEMPLATE}`)
  return {
    engine,
    location: { url: `${inject('postgresServer')}${name}` },
    folder,
    drop: async () => {
      await disconnect(name)
      await dropFolder()
    },
  }
}

/** Creates a database without any tables. On SQLite there is no file yet. */
export async function createEmptyDatabase(engine = inject('engine')): Promise<TestDatabase> {
  const database = await createDatabase(engine)
  if ('file' in database.location) {
    await rm(database.location.file)
    return database
  }
  const client = new pg.Client({ connectionString: database.location.url })
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  await client.end()
  return database
}

/** Simulates an unreachable database server: ends all connections and refuses new ones, or allows them again. */
export async function setReachable(location: DatabaseLocation, isReachable: boolean): Promise<void> {
  if (!('url' in location)) throw new Error('only PostgreSQL can be made unreachable')
  const name = new URL(location.url).pathname.slice(1)
  await administer(`alter database ${name} allow_connections ${isReachable}`)
  if (!isReachable) await disconnect(name)
}

const disconnect = (name: string): Promise<void> =>
  administer('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])

async function administer(statement: string, values: string[] = []): Promise<void> {
  const admin = new pg.Client({ connectionString: `${inject('postgresServer')}postgres` })
  await admin.connect()
  try {
    await admin.query(statement, values)
  } finally {
    await admin.end()
  }
}
