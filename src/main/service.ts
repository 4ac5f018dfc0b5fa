import type { AddressInfo } from 'node:net'
import type { Database } from '../platform/db/index.ts'
import { mountHealth } from '../platform/http/server/health.ts'
import { listen } from '../platform/http/server/listen.ts'
import { createServer, type Server } from '../platform/http/server/server.ts'
import { inSteps } from '../platform/jobs/in-steps.ts'
import type { Keyring } from '../platform/keyring/index.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import type { Config } from './config.ts'
import { mountRootFiles } from './root-files/index.ts'
import { mountApiSide } from './wiring/api-side.ts'
import { type Ground, layGround, type Overrides } from './wiring/ground.ts'
import { wireGroups } from './wiring/groups.ts'
import { mountPublicSide } from './wiring/public-side.ts'
import { followSecrets, useSecretKey } from './wiring/secrets.ts'
import { Shutdown } from './wiring/shutdown.ts'
import { startWorkerSide } from './wiring/worker-side.ts'

export type { Overrides } from './wiring/ground.ts'

export type ProcessRole = 'all' | 'api' | 'scan' | 'worker'

export interface Service {
  readonly database: Database
  readonly keyring: Keyring
  readonly port: number
  /** Undefined if METRICS_PORT is not set. */
  readonly metricsPort: number | undefined
  /**
   * Loads what the first requests of some kinds would wait for, and everybody with them, in steps with rests between them.
   * Takes a second or two, in which requests are served.
   */
  prepare(): Promise<void>
  /** From now on, health checks fail and connections are not kept, so that a proxy uses other instances. Requests are served. */
  drain(): void
  /** Completes requests in flight, then releases everything. */
  close(): Promise<void>
}

/** Wires all parts and starts to listen. What a group consists of is in the file of the group, in `wiring/`. */
export async function startService(
  config: Config,
  role: ProcessRole,
  log: Logger,
  overrides: Overrides = {},
): Promise<Service> {
  if (config.trustProxy === true) {
    log.warn(
      'TRUST_PROXY=true lets every client choose the address that limits and logs use. Set it to the addresses of your proxies, such as TRUST_PROXY=10.0.0.0/8.',
    )
  }
  const shutdown = new Shutdown()
  try {
    const ground = await layGround(config, log, overrides, shutdown)
    const groups = await wireGroups(ground)
    const { server, database, keyring } = ground
    groups.codes.startSchedules(groups.domains)
    if (role !== 'worker') {
      groups.assets.mountFiles()
      await mountRootFiles(server)
    }
    const steps = role === 'all' || role === 'api' ? mountApiSide(ground, groups) : () => []
    const stopping = new AbortController()
    shutdown.atFirst(() => stopping.abort())
    if (role === 'all' || role === 'scan') await mountPublicSide(ground, groups)
    if (role === 'all' || role === 'worker') await startWorkerSide(ground, groups)
    const metricsServer = config.metricsPort === undefined ? undefined : await serveMetrics(ground, config.metricsPort)
    shutdown.atLast(followSecrets(ground, role === 'all' || role === 'worker'))
    shutdown.closeServer = await listen(server, config.host, config.port)
    await useSecretKey(ground)
    return {
      database,
      keyring,
      port: portOf(server),
      metricsPort: metricsServer && portOf(metricsServer),
      prepare: () => inSteps(steps, stopping.signal),
      drain: () => {
        for (const one of [server, metricsServer]) one?.connections.drain()
      },
      close: () => shutdown.run(),
    }
  } catch (error) {
    await shutdown.run()
    throw error
  }
}

/** Metrics have a port of their own, which is not open to the public. */
async function serveMetrics(
  { config, database, keyring, health, log, metrics, shutdown }: Ground,
  port: number,
): Promise<Server> {
  const server = createServer({ trustProxy: false }, { log, metrics })
  shutdown.atLast(() => server.close())
  mountHealth(server, database, keyring, health)
  server.get('/metrics', async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.show()))
  await server.listen({ host: config.host, port })
  return server
}

const portOf = (server: Server): number => (server.server.address() as AddressInfo).port
