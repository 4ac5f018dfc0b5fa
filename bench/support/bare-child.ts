/** A Fastify server that only sends stored responses: the upper limit, as if the service's own work cost nothing. */
import { fastify } from 'fastify'
import type { BareRoute } from './bare.ts'
import { endWithParent, reportUsage } from './children.ts'
import { PostgresRows } from './postgres-rows.ts'
import { SqliteRows } from './sqlite-rows.ts'

const server = fastify({ logger: false })
server.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, Object.fromEntries(new URLSearchParams(String(body)))),
)

/** Returns a function that commits a row. */
async function openRows(target: string, commitsTogether: boolean): Promise<() => Promise<void> | void> {
  if (target.startsWith('postgres://')) {
    const rows = await PostgresRows.open(target)
    return () => rows.insert()
  }
  const rows = new SqliteRows(target)
  return commitsTogether ? () => rows.insertWithOthers() : () => rows.insert(1)
}

process.once('message', async (routes: BareRoute[]) => {
  for (const { method, path, status, contentType, body, insertsInto, commitsTogether = false } of routes) {
    const insert = insertsInto === undefined ? undefined : await openRows(insertsInto, commitsTogether)
    server.route({
      method,
      url: path,
      handler: async (_request, reply) => {
        await insert?.()
        return reply.code(status).header('content-type', contentType).send(body)
      },
    })
  }
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})

endWithParent(() => server.close())
reportUsage()
process.send?.({})
