import { sql } from 'kysely'
import { SECOND_MS } from '../../clock/index.ts'
import type { Database } from '../../db/index.ts'
import { withTimeout } from '../../db/timeout.ts'
import type { Keyring } from '../../keyring/index.ts'
import { thisBuild } from '../../version/index.ts'
import type { Server } from './server.ts'

const READY_TIMEOUT_MS = 2 * SECOND_MS

/** Lets `waymark doctor` see whether a public address leads to this installation. It says nothing else. */
export const INSTALLATION_HEADER = 'x-waymark-installation'

const WITHOUT_SECRETS = {
  status: 'unavailable',
  reason: 'SECRET_KEY of this instance does not open the newest secret. Set it to the new value, and restart.',
}
const STOPPING = { status: 'unavailable', reason: 'The service is stopping.' }

/**
 * `/healthz`: the process is running, and is not about to stop. `/readyz`: it can read and write its database, too. A proxy
 * should ask the first: while the database is down, codes still redirect.
 */
export function mountHealth(server: Server, database: Database, keyring: Keyring): void {
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
    check ??= withTimeout(askDatabase(database), READY_TIMEOUT_MS).finally(() => {
      check = undefined
    })
    try {
      await check
      return reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).send({ status: 'unavailable', reason: 'The database does not respond.' })
    }
  })
}

/** On SQLite, the second statement asks the writer's thread. It waits for one open transaction, not for those in turn. */
async function askDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.read)
  await sql`select 1`.execute(database.kysely)
}
