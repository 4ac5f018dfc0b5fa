/** A Fastify server with a single route: what every start on this machine takes, as if the service had no code of its own. */
import { enableCompileCache } from 'node:module'

// The service also does this before it loads the rest.
enableCompileCache()
const { fastify } = await import('fastify')

const server = fastify({ logger: false })
server.get('/healthz', async () => ({ status: 'ok' }))
await server.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.once('SIGTERM', () => server.close())
