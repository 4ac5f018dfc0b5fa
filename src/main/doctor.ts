import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../platform/clock/index.ts'
import { describeEngine, findDamage, findWrongTotals } from '../platform/db/checks.ts'
import type { Database } from '../platform/db/index.ts'
import { listUnknownMigrations, pendingMigrations } from '../platform/db/migrate.ts'
import { Keyring } from '../platform/keyring/index.ts'
import { type Config, readConfig } from './config.ts'
import { openExplained, requireDatabase } from './open-database.ts'
import { NODE_VERSION } from './version.ts'

export interface Check {
  name: string
  ok: boolean
  detail: string
  /** What to do about it; only when something is wrong. */
  remedy?: string
}

/** Below this a busy day, or one backup beside the data, can fill the disk. */
const FREE_BYTES_MIN = 500_000_000

/**
 * Looks at everything that can be wrong, in the order in which one thing needs another. What a failed check
 * makes pointless is left out. Nothing is changed, so it may run beside the service.
 */
export async function* examine(): AsyncGenerator<Check, void> {
  yield checkNode()
  let config: Config
  try {
    config = readConfig()
  } catch (error) {
    yield wrong('Settings', (error as Error).message, 'Correct the setting in the environment or in .env.')
    return
  }
  yield right('Settings', 'url' in config.database ? 'PostgreSQL at DATABASE_URL' : `data in ${config.dataDir}`)

  let database: Database
  try {
    requireDatabase(config)
    if ('file' in config.database) yield await checkDataDir(config.dataDir)
    database = await openExplained(config)
  } catch (error) {
    yield wrong('Database', (error as Error).message, 'Without it nothing else can be looked at.')
    return
  }
  try {
    yield await checkEngine(database)
    const migrations = await checkMigrations(database)
    yield migrations
    if (!migrations.ok) return
    yield await checkSecretKey(database, config.secretKey)
    yield await database.snapshot(async (db) => {
      const damage = await findDamage(db, database.engine)
      return damage.length === 0
        ? right('Integrity', 'no damage found')
        : wrong(
            'Integrity',
            damage.join('; '),
            'Stop the service and restore the newest backup into an empty database.',
          )
    })
    yield await checkTotals(database)
  } finally {
    await database.close()
  }
}

const right = (name: string, detail: string): Check => ({ name, ok: true, detail })
const wrong = (name: string, detail: string, remedy: string): Check => ({ name, ok: false, detail, remedy })

function checkNode(): Check {
  const { node } = process.versions
  const detail = `${node} (Waymark comes with ${NODE_VERSION})`
  return Number.parseInt(node, 10) >= Number.parseInt(NODE_VERSION, 10)
    ? right('Node', detail)
    : wrong('Node', detail, 'Run it with npm, which uses the Node that is installed with it.')
}

/** Tried, not asked: permissions, quotas and read-only mounts all show only then. */
async function checkDataDir(dataDir: string): Promise<Check> {
  try {
    await rm(await mkdtemp(join(dataDir, '.doctor-')), { recursive: true })
    const { bavail, bsize } = await statfs(dataDir)
    const detail = `${dataDir} is writable, ${((bavail * bsize) / 1e9).toFixed(1)} GB free`
    return bavail * bsize >= FREE_BYTES_MIN
      ? right('Data folder', detail)
      : wrong('Data folder', detail, 'Free some space, or move DATA_DIR to a larger disk.')
  } catch (error) {
    return wrong('Data folder', (error as Error).message, `Make ${dataDir} writable for this user.`)
  }
}

async function checkEngine(database: Database): Promise<Check> {
  const { version, durability } = await describeEngine(database)
  const detail = `${version}, ${durability.map(({ setting, value }) => `${setting} ${value}`).join(', ')}`
  const unsafe = durability.filter(({ safe }) => !safe).map(({ setting }) => setting)
  return unsafe.length === 0
    ? right('Database', detail)
    : wrong(
        'Database',
        detail,
        `Turn ${unsafe.join(' and ')} on: otherwise a power cut takes back what was acknowledged.`,
      )
}

async function checkMigrations(database: Database): Promise<Check> {
  const pending = await pendingMigrations(database)
  if (pending.length > 0) {
    return wrong('Migrations', `the database lacks ${pending.join(', ')}`, 'Run npm start or `waymark migrate`.')
  }
  const unknown = await listUnknownMigrations(database.read)
  if (unknown.length > 0) {
    return wrong('Migrations', `a newer Waymark added ${unknown.join(', ')}`, 'Use that version or a later one.')
  }
  return right('Migrations', 'up to date')
}

async function checkSecretKey(database: Database, secretKey: string | undefined): Promise<Check> {
  // Opening it would make or wrap what is missing; whoever only looks leaves it as it is.
  const untouched: Database = { ...database, write: async <T>() => undefined as T }
  try {
    await Keyring.load(untouched, secretKey, systemClock())
    return right('SECRET_KEY', secretKey === undefined ? 'not set, and not needed' : 'fits the stored secrets')
  } catch (error) {
    return wrong('SECRET_KEY', 'does not fit the stored secrets', (error as Error).message)
  }
}

async function checkTotals(database: Database): Promise<Check> {
  const totals = await database.snapshot((db) => findWrongTotals(db, database.engine))
  const detail = totals.map(({ table, organisations }) => `${table} for ${organisations} organisation(s)`)
  return totals.length === 0
    ? right('Totals', 'equal a recount')
    : wrong('Totals', `wrong: ${detail.join(', ')}`, 'Back up and restore into an empty database, which counts anew.')
}
