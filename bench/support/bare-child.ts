/** Fastify and nothing else: what the service could reach if its own work cost nothing. */
import { fastify } from 'fastify'
import type { BareAnswer } from './bare.ts'
import { endWithParent, tellUsage } from './children.ts'

const server = fastify({ logger: false })

process.once('message', async (answers: BareAnswer[]) => {
  for (const { method, route, status, contentType, json } of answers) {
    server.route({
      method,
      url: route,
      handler: async (_request, reply) => reply.code(status).header('content-type', contentType).send(json),
    })
  }
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined })
})

endWithParent(() => server.close())
tellUsage()
process.send?.({})
