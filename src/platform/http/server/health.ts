import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { SECOND_MS } from '../../clock/index.ts'
import type { Database } from '../../db/index.ts'
import { withTimeout } from '../../db/timeout.ts'
import { isOutOfSpace } from '../../errors/out-of-space.ts'
import type { Keyring } from '../../keyring/index.ts'
import { thisBuild } from '../../telemetry/build.ts'
import type { Server } from './server.ts'

const READY_TIMEOUT_MS = 2 * SECOND_MS
/** After a write that succeeded, the next check writes again at the earliest after this time. */
const WRITE_INTERVAL_MS = 5 * SECOND_MS
/** What has to fit into a folder. A disk with less is full for nearly everything. */
const PROBE = Buffer.alloc(64 * 1024, ' ')
const PROBE_FILE = '.readiness'

/** Lets `waymark doctor` see whether a public address leads to this installation. It says nothing else. */
export const INSTALLATION_HEADER = 'x-waymark-installation'

const WITHOUT_SECRETS = {
  status: 'unavailable',
  reason: 'SECRET_KEY of this instance does not open the newest secret. Set it to the new value, and restart.',
}
const STOPPING = { status: 'unavailable', reason: 'The service is stopping.' }

/** Why the service is not ready. */
class NotReady extends Error {}

/** What the service needs besides its database, and what operators must know although it works. */
export class Health {
  /** Folders by what they are for, which the reason names: the path is nobody's business. */
  readonly #folders = new Map<string, string>()
  readonly #alarms: (() => string | undefined)[] = []
  #wrote = Number.NEGATIVE_INFINITY

  watchFolder(purpose: string, folder: string): void {
    this.#folders.set(purpose, folder)
  }

  watchAlarm(alarm: () => string | undefined): void {
    this.#alarms.push(alarm)
  }

  get alarms(): string[] {
    return this.#alarms.flatMap((alarm) => alarm() ?? [])
  }

  /** Throws `NotReady`. */
  async check(database: Database): Promise<void> {
    await inTime(askDatabase(database), 'The database does not respond.')
    if (performance.now() - this.#wrote < WRITE_INTERVAL_MS) return
    await inTime(writeTo(database), 'The database cannot be written')
    for (const [purpose, folder] of this.#folders)
      await inTime(writeInto(folder), `The folder of ${purpose} cannot be written`)
    this.#wrote = performance.now()
  }
}

/**
 * `/healthz`: the process is running, and is not about to stop. `/readyz`: it can read and write its database and its folders,
 * too. A proxy should ask the first: while the database is down, codes still redirect.
 */
export function mountHealth(server: Server, database: Database, keyring: Keyring, health: Health): void {
  let check: Promise<void> | undefined
  server.get('/healthz', { config: { operation: 'healthz' } }, async (request, reply) => {
    reply.header('x-request-id', request.id).header(INSTALLATION_HEADER, keyring.installationId)
    return server.connections.isDraining ? reply.code(503).send(STOPPING) : reply.send({ status: 'ok', ...thisBuild() })
  })
  server.get('/readyz', { config: { operation: 'readyz' } }, async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (server.connections.isDraining) return reply.code(503).send(STOPPING)
    if (keyring.isBehind) return reply.code(503).send(WITHOUT_SECRETS)
    // Requests share a check, so that any number of them adds one statement to a database that does not respond.
    check ??= health.check(database).finally(() => {
      check = undefined
    })
    const reason = await check.then(
      () => undefined,
      (error) => (error instanceof NotReady ? error.message : 'The check failed.'),
    )
    const { alarms } = health
    const more = alarms.length > 0 ? { alarms } : {}
    if (reason !== undefined) return reply.code(503).send({ status: 'unavailable', reason, ...more })
    return reply.send({ status: 'ready', ...more })
  })
}

/** On SQLite, the second statement asks the writer's thread. It waits for one open transaction, not for those in turn. */
async function askDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.read)
  await sql`select 1`.execute(database.kysely)
}

/** SQLite writes the first page; it would skip a row that is changed to what it was. */
async function writeTo({ engine, kysely }: Database): Promise<void> {
  const write =
    engine === 'sqlite' ? sql`pragma user_version = 0` : sql`update migrations_lock set is_locked = is_locked`
  await write.execute(kysely)
}

/** Takes the room that it needs, but does not wait for the disk. */
async function writeInto(folder: string): Promise<void> {
  const path = join(folder, PROBE_FILE)
  try {
    // The first file would create it.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(PROBE)
    } finally {
      await file.close()
    }
  } finally {
    await rm(path, { force: true })
  }
}

async function inTime(work: Promise<void>, problem: string): Promise<void> {
  try {
    await withTimeout(work, READY_TIMEOUT_MS)
  } catch (error) {
    throw new NotReady(
      problem.endsWith('.') ? problem : `${problem}${isOutOfSpace(error) ? ': the disk is full' : ''}.`,
    )
  }
}
