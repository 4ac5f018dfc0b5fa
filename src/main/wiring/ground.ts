import type { IncomingMessage } from 'node:http'
import { LoopTurns } from '../../platform/bounded/index.ts'
import { type Clock, systemClock } from '../../platform/clock/index.ts'
import type { Database } from '../../platform/db/index.ts'
import { findNewerSchema, migrate } from '../../platform/db/migrate.ts'
import { openDatabase } from '../../platform/db/open.ts'
import type { CommitGate } from '../../platform/db/sqlite/commit-gate.ts'
import type { StatementObserver } from '../../platform/db/types.ts'
import { finishWrites, reportUnfinished } from '../../platform/db/unfinished-writes.ts'
import { BODY_LIMITS, type BodyLimits, BodyReader } from '../../platform/http/bodies/body-reader.ts'
import { UPLOAD_TIMES, type UploadTimes } from '../../platform/http/bodies/incoming-chunks.ts'
import type { Authenticator } from '../../platform/http/pipeline/context.ts'
import type { Services } from '../../platform/http/pipeline/exchange.ts'
import { clientAddressReader } from '../../platform/http/server/client-address.ts'
import { type ConnectionLimits, watchConnections } from '../../platform/http/server/connections.ts'
import { Gate } from '../../platform/http/server/gate.ts'
import { Health, mountHealth } from '../../platform/http/server/health.ts'
import { createServer, type Server } from '../../platform/http/server/server.ts'
import { Keyring } from '../../platform/keyring/index.ts'
import { createMarkdown, type Markdown } from '../../platform/markdown/index.ts'
import { createOutboundClient, type OutboundClient } from '../../platform/outbound/index.ts'
import { type HashCost, PasswordHasher } from '../../platform/passwords/index.ts'
import {
  AddressLimits,
  createRateLimiter,
  PACES,
  type Paces,
  type RateLimiter,
} from '../../platform/rate-limit/index.ts'
import { Settling } from '../../platform/recording/index.ts'
import type { Logger } from '../../platform/telemetry/logging.ts'
import { createMetrics, type Metrics } from '../../platform/telemetry/metrics.ts'
import type { Config } from '../config.ts'
import { watchLastBackup } from '../last-backup.ts'
import type { Shutdown } from './shutdown.ts'

/** Replacements that tests pass in for the outside world. */
export interface Overrides {
  clock?: Clock
  observe?: StatementObserver
  commitGate?: CommitGate
  /** How long a request waits for the database. */
  databaseWaitMsMax?: number
  /** How often the worker looks for deliveries that are due again. */
  deliveryPollMs?: number
  checkResponse?: NonNullable<Services['checkResponse']>
  authenticators?: readonly Authenticator[]
  connectionLimits?: Partial<ConnectionLimits>
  bodyLimits?: Partial<BodyLimits>
  uploadTimes?: Partial<UploadTimes>
  passwordCost?: HashCost
  paces?: Paces
}

/** What every group of the product builds on. */
export interface Ground {
  config: Config
  overrides: Overrides
  clock: Clock
  log: Logger
  metrics: Metrics
  turns: LoopTurns
  database: Database
  settling: Settling
  health: Health
  keyring: Keyring
  limiter: RateLimiter
  outbound: OutboundClient
  markdown: Markdown
  hasher: PasswordHasher
  server: Server
  bodies: BodyReader
  uploadTimes: UploadTimes
  connectionsMax: number
  addressOf: (request: IncomingMessage) => string
  shutdown: Shutdown
}

/** Opens the database, migrates it, and creates a server that has nothing but health checks so far. */
export async function layGround(
  config: Config,
  log: Logger,
  overrides: Overrides,
  shutdown: Shutdown,
): Promise<Ground> {
  const { clock = systemClock, observe, commitGate, databaseWaitMsMax: waitMsMax } = overrides
  const metrics = createMetrics()
  watchLastBackup(metrics.registry, config.dataDir)
  const turns = new LoopTurns(metrics)
  const database = await openDatabase(config.database, {
    connectionsMax: config.databaseConnections,
    isShared: (orgId) => turns.isShared(orgId),
    ...(observe && { observe }),
    ...(commitGate && { commitGate }),
    ...(waitMsMax && { waitMsMax }),
  })
  shutdown.atLast(() => database.close())
  await migrate(database)
  for (const [id, error] of await finishWrites(database)) reportUnfinished(log, id, error)
  const newer = await findNewerSchema(database.read)
  if (newer !== undefined) {
    log.warn(
      { schema: newer.build, migrations: newer.names },
      'a newer Waymark has migrated this database; this version can go on using it until it is upgraded, too',
    )
  }
  const keyring = await Keyring.load(database, config, clock())
  metrics.watchQueue('writes', database.writeQueue)
  for (const [name, pool] of Object.entries(database.pools)) metrics.watchPool(name, pool)
  database.writeQueue.onRefused = () => metrics.refused.inc({ limit: 'writes' })
  const outbound = createOutboundClient(config.outbound)
  shutdown.atLast(() => outbound.close())
  const markdown = createMarkdown(config.renderThreads, metrics)
  shutdown.atLast(() => markdown.close())
  const limits = { ...config.connections, ...overrides.connectionLimits }
  const addressOf = clientAddressReader(config.trustProxy)
  const addressLimits = new AddressLimits(overrides.paces ?? PACES, addressOf, clock, (limit) =>
    metrics.refused.inc({ limit }),
  )
  const gate = new Gate(addressLimits, metrics, addressOf)
  const onRequest = () => database.takeReplies()
  const server = createServer(
    { trustProxy: config.trustProxy, limits, urls: config, gate, onRequest },
    { log, metrics },
  )
  shutdown.closeServer = () => server.close()
  watchConnections(server.connections, metrics)
  metrics.watchQueue('downloads', server.downloads.queue)
  metrics.watchQueue('compressing', server.compression.queue)
  const health = new Health()
  mountHealth(server, database, keyring, health)
  return {
    config,
    overrides,
    clock,
    log,
    metrics,
    turns,
    database,
    settling: new Settling(),
    health,
    keyring,
    limiter: createRateLimiter(database),
    outbound,
    markdown,
    hasher: new PasswordHasher(metrics, overrides.passwordCost),
    server,
    bodies: new BodyReader({ ...BODY_LIMITS, ...overrides.bodyLimits }, metrics),
    uploadTimes: { ...UPLOAD_TIMES, ...overrides.uploadTimes },
    connectionsMax: limits.connectionsMax,
    addressOf,
    shutdown,
  }
}
