import { sql } from 'kysely'
import type { Database } from '../db/index.ts'
import type { Server } from './server.ts'

/** `/healthz`: the process is running. `/readyz`: it can reach its database, too. */
export function mountHealth(server: Server, database: Database): void {
  server.get('/healthz', { config: { operation: 'healthz' } }, async (request, reply) =>
    reply.header('x-request-id', request.id).send({ status: 'ok' }),
  )
  server.get('/readyz', { config: { operation: 'readyz' } }, async (request, reply) => {
    reply.header('x-request-id', request.id)
    try {
      await sql`select 1`.execute(database.read)
      return reply.send({ status: 'ready' })
    } catch {
      return reply.code(503).send({ status: 'unavailable', reason: 'The database does not respond.' })
    }
  })
}
