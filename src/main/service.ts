import type { AddressInfo } from 'node:net'
import { type FamilySettings, mountApi } from '../api/index.ts'
import { startErasing, startRetention } from '../erasure/index.ts'
import { Join } from '../modules/account/accept-invitation/index.ts'
import { mountAccount } from '../modules/account/account-pages/index.ts'
import { ApiKeyAuthenticator } from '../modules/account/api-keys/index.ts'
import { Credits } from '../modules/account/credits/index.ts'
import { EmailChanges } from '../modules/account/email-changes/index.ts'
import { Factors, Proofs, Tickets } from '../modules/account/factors/index.ts'
import { KnownAddresses } from '../modules/account/known-addresses/index.ts'
import { AccessTokenAuthenticator, mountOAuth } from '../modules/account/oauth/index.ts'
import { Passwords } from '../modules/account/passwords/index.ts'
import { CookieAuthenticator } from '../modules/account/sessions/index.ts'
import { Attempts, Confirm, SignIn } from '../modules/account/sign-in/index.ts'
import { startAssets } from '../modules/assets/clean-up/index.ts'
import { modelNames } from '../modules/chat/answering/index.ts'
import { startEmbeddings } from '../modules/chat/embeddings/index.ts'
import { UploadedLogos } from '../modules/codes/code-images/index.ts'
import { createImageDownloads } from '../modules/codes/products/index.ts'
import { startDomainChecks } from '../modules/domains/checks/index.ts'
import { PublicAddresses } from '../modules/domains/custom-domain-routes/index.ts'
import { createDiffer } from '../modules/knowledge/article-versions/index.ts'
import { startIndexing } from '../modules/knowledge/indexing/index.ts'
import { Mails } from '../modules/mail/mails/index.ts'
import { startMail } from '../modules/mail/sending/index.ts'
import { startDelivery } from '../modules/webhooks/delivery/index.ts'
import { deleteEndpointsOfGrant } from '../modules/webhooks/webhooks/index.ts'
import { LoopTurns } from '../platform/bounded/index.ts'
import { type Clock, SECOND_MS, systemClock } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import { migrate } from '../platform/db/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import type { StatementObserver } from '../platform/db/types.ts'
import { createDnsClient } from '../platform/dns/index.ts'
import { startSweep } from '../platform/files/staging.ts'
import { BODY_LIMITS, type BodyLimits, BodyReader } from '../platform/http/bodies/body-reader.ts'
import { UPLOAD_TIMES, type UploadTimes } from '../platform/http/bodies/incoming-chunks.ts'
import { UploadReader } from '../platform/http/bodies/upload-reader.ts'
import { mountAssets } from '../platform/http/caching/assets.ts'
import { createListQueue } from '../platform/http/lists/list-queue.ts'
import type { Authenticator } from '../platform/http/pipeline/context.ts'
import type { Services } from '../platform/http/pipeline/exchange.ts'
import { RunningKeys } from '../platform/http/pipeline/running-keys.ts'
import { clientAddressReader } from '../platform/http/server/client-address.ts'
import { type ConnectionLimits, watchConnections } from '../platform/http/server/connections.ts'
import { mountHealth } from '../platform/http/server/health.ts'
import { listen } from '../platform/http/server/listen.ts'
import { createServer, type Server } from '../platform/http/server/server.ts'
import { LogoImages } from '../platform/images/index.ts'
import { Keyring } from '../platform/keyring/index.ts'
import { createMarkdown } from '../platform/markdown/index.ts'
import { createOutboundClient } from '../platform/outbound/index.ts'
import { PasswordHasher } from '../platform/passwords/index.ts'
import { createRateLimiter, FailedAttempts } from '../platform/rate-limit/index.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { createAnswering, openLlm } from './answering.ts'
import { assetSettings, openAssetStore } from './asset-settings.ts'
import type { Config } from './config.ts'
import { createVerification, domainTargetsOf } from './domain-verification.ts'
import { ownHostsOf } from './own-hosts.ts'
import { mountPublicSide } from './public-side.ts'
import { mountRootFiles } from './root-files/index.ts'

export type Role = 'all' | 'api' | 'scan' | 'worker'

/** Replacements that tests pass in for the outside world. */
export interface Overrides {
  clock?: Clock
  observe?: StatementObserver
  commitDelayMs?: number
  /** How often the worker looks for deliveries that are due again. */
  deliveryPollMs?: number
  checkResponse?: NonNullable<Services['checkResponse']>
  authenticators?: readonly Authenticator[]
  connectionLimits?: Partial<ConnectionLimits>
  bodyLimits?: Partial<BodyLimits>
  uploadTimes?: Partial<UploadTimes>
}

export interface Service {
  readonly database: Database
  readonly keyring: Keyring
  readonly port: number
  /** Undefined if METRICS_PORT is not set. */
  readonly metricsPort: number | undefined
  /** From now on, health checks fail and connections are not kept, so that a proxy uses other instances. Requests are served. */
  drain(): void
  /** Completes requests in flight, then releases everything. */
  close(): Promise<void>
}

/** Opens the database, wires every part to it and starts to listen. Together with `public-side.ts`, it knows all parts. */
export async function startService(
  config: Config,
  role: Role,
  log: Logger,
  overrides: Overrides = {},
): Promise<Service> {
  const { clock = systemClock, observe, commitDelayMs, deliveryPollMs: pollMs, checkResponse } = overrides
  if (config.trustProxy === true) {
    log.warn(
      'TRUST_PROXY=true lets every client choose the address that limits and logs use. Set it to the addresses of your proxies, such as TRUST_PROXY=10.0.0.0/8.',
    )
  }
  const metrics = createMetrics()
  const turns = new LoopTurns(metrics)
  const database = await openDatabase(config.database, {
    connectionsMax: config.databaseConnections,
    isShared: (orgId) => turns.isShared(orgId),
    ...(observe && { observe }),
    ...(commitDelayMs !== undefined && { commitDelayMs }),
  })
  const closing: (() => unknown)[] = [() => database.close()]
  /** What must end first, because requests wait for it. */
  const stopping: (() => unknown)[] = []
  const close = async () => {
    for (const step of closing.reverse()) await step()
  }
  try {
    await migrate(database)
    const keyring = await Keyring.load(database, config.secretKey, clock())
    closing.push(followRotations(keyring, database, clock))
    metrics.watchQueue('writes', database.writeQueue)
    for (const [name, pool] of Object.entries(database.pools)) metrics.watchPool(name, pool)
    database.writeQueue.onRefused = () => metrics.refused.inc({ limit: 'writes' })
    const apiKeys = new ApiKeyAuthenticator(database, config.caps, log)
    const sessions = new CookieAuthenticator(database, config.appUrl, config.caps, log)
    const uses = new KnownAddresses(database, log)
    const accessTokens = new AccessTokenAuthenticator(database, config.caps, log)
    closing.push(() => Promise.all([apiKeys.flush(), sessions.flush(), accessTokens.flush(), uses.flush()]))

    const limiter = createRateLimiter(database)
    const mails = new Mails({ keyring, limiter, canSend: config.mail !== undefined })
    const credits = new Credits({ mails, lowCredits: config.credits.low })
    const llm = openLlm(config)
    const addresses = new PublicAddresses(database, config.publicUrl, clock)
    metrics.watchBudget('public_addresses', addresses)
    closing.push(() => addresses.close())
    const { urlOf: publicUrlOf } = addresses
    const answering = createAnswering(config, llm, { database, publicUrlOf, clock, log, metrics })
    const outbound = createOutboundClient(config.outbound)
    closing.push(() => outbound.close())
    const dns = createDnsClient(config.outbound.dnsServers)
    stopping.push(() => dns.close())
    const verification = createVerification(config, { dns, limiter, mails })
    const markdown = createMarkdown(config.renderThreads, metrics)
    closing.push(() => markdown.close())
    const differ = createDiffer(metrics)
    closing.push(() => differ.close())
    const limits = { ...config.connections, ...overrides.connectionLimits }
    const server = createServer({ trustProxy: config.trustProxy, limits, urls: config }, { log, metrics })
    watchConnections(server.connections, metrics)
    metrics.watchQueue('downloads', server.downloads.queue)
    metrics.watchQueue('compressing', server.compression.queue)
    mountHealth(server, database)
    const store = await openAssetStore(config)
    const assets = assetSettings(config, database, store, metrics)
    const bodies = new BodyReader({ ...BODY_LIMITS, ...overrides.bodyLimits }, metrics)
    const uploadTimes = { ...UPLOAD_TIMES, ...overrides.uploadTimes }
    const addressOf = clientAddressReader(config.trustProxy)
    const hasher = new PasswordHasher(metrics)
    if (role !== 'worker') {
      mountAssets(server, store)
      await mountRootFiles(server)
    }
    if (role === 'all' || role === 'api') {
      const services: Services = {
        database,
        keyring,
        limiter,
        failedAttempts: new FailedAttempts(),
        authenticators: [apiKeys, accessTokens, ...(overrides.authenticators ?? [])],
        sessions,
        uses,
        resourceMetadataUrl: `${config.appUrl}/.well-known/oauth-protected-resource/v1`,
        runningKeys: new RunningKeys(),
        turns,
        lists: createListQueue(config.databaseConnections, turns, metrics),
        bodies,
        uploads: new UploadReader(store, uploadTimes, metrics),
        metrics,
        log,
        clock,
        ...(checkResponse && { checkResponse }),
      }
      const products = { ...assets, outbound, downloads: createImageDownloads(metrics) }
      closing.push(startSweep(store, log))
      const call = mountApi(server, services, {
        ...familySettings(config, keyring),
        publicUrlOf,
        domains: { targets: domainTargetsOf(config), ownHosts: ownHostsOf(config), verification },
        mails,
        assets,
        products,
        logos: new UploadedLogos(store, new LogoImages(metrics)),
        articles: { markdown, differ },
        chatbots: { answering, credits, models: modelNames(config.llm), passwords: hasher },
        conversations: { appUrl: config.appUrl, publicUrl: config.publicUrl, mails, assets },
      })
      const tickets = new Tickets(database, keyring)
      const proofs = new Proofs(database, keyring, tickets)
      const signing = { database, passwords: hasher, proofs, tickets, attempts: new Attempts(), mails, log }
      const pages = mountAccount(
        server,
        {
          database,
          keyring,
          sessions,
          emailChanges: new EmailChanges(signing),
          mails,
          signIn: new SignIn(signing),
          confirm: new Confirm(signing),
          proofs,
          factors: new Factors(database, keyring, tickets, mails),
          join: new Join(database, hasher),
          passwords: new Passwords(signing),
          cleanUpAfterGrant: deleteEndpointsOfGrant,
          appUrl: config.appUrl,
          acceptsAnyHost: config.acceptsAnyHost,
          addressOf,
          call,
          log,
          clock,
        },
        bodies,
      )
      const { appUrl, acceptsAnyHost } = config
      const cleanUpAfterGrant = deleteEndpointsOfGrant
      mountOAuth(server, pages, { ...services, appUrl, acceptsAnyHost, addressOf, cleanUpAfterGrant })
    }
    if (role === 'all' || role === 'scan') {
      const shared = { database, keyring, markdown, turns, bodies, uploadTimes, addressOf, clock, log, metrics }
      const more = { answering, addresses, credits, mails, hasher, assets, connectionsMax: limits.connectionsMax }
      stopping.push(await mountPublicSide(server, config, { ...shared, ...more }, closing))
    }
    if (role === 'all' || role === 'worker') {
      closing.push(startRetention(database, config.auditLogDays, clock, log))
      closing.push(startErasing(database, store, clock, log))
      closing.push(startAssets({ database, store, turns, clock, log }))
      closing.push(startDomainChecks({ database, verification, clock, log, metrics }))
      closing.push(startIndexing({ database, turns, clock, log, metrics }))
      closing.push(startDelivery({ database, keyring, mails, outbound, turns, clock, log, metrics, pollMs }))
      const vectorModel = config.llm?.embeddingsModel
      if (llm !== undefined && vectorModel !== undefined) {
        closing.push(startEmbeddings({ database, client: llm, model: vectorModel, turns, clock, log, metrics }))
      }
      if (config.mail !== undefined) {
        closing.push(await startMail({ database, keyring, appUrl: config.appUrl, clock, log, metrics }, config.mail))
      }
    }
    const servers = [server]
    let metricsPort: number | undefined
    if (config.metricsPort !== undefined) {
      const metricsServer = createServer({ trustProxy: false }, { log, metrics })
      mountHealth(metricsServer, database)
      metricsServer.get('/metrics', async (_request, reply) =>
        reply.type(metrics.registry.contentType).send(await metrics.show()),
      )
      servers.push(metricsServer)
      closing.push(() => metricsServer.close())
      await metricsServer.listen({ host: config.host, port: config.metricsPort })
      metricsPort = portOf(metricsServer)
    }
    let closeServer: () => Promise<void> = () => server.close()
    closing.push(() => closeServer())
    // First, so that no request waits for a model.
    closing.push(() => llm?.close(), ...stopping)
    closeServer = await listen(server, config.host, config.port)
    const drain = () => {
      for (const { connections } of servers) connections.drain()
    }
    return { database, keyring, port: portOf(server), metricsPort, drain, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** After a rotation, a process signs with the previous key for at most this long. */
const KEYRING_INTERVAL_MS = 30 * SECOND_MS

function followRotations(keyring: Keyring, database: Database, clock: Clock): () => void {
  // If the database is unavailable, the next interval tries again.
  const reload = () => void keyring.reload(database.read, clock()).catch(() => {})
  const timer = setInterval(reload, KEYRING_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

const portOf = (server: Server): number => (server.server.address() as AddressInfo).port

function familySettings(
  config: Config,
  keyring: Keyring,
): Omit<
  FamilySettings,
  'articles' | 'assets' | 'chatbots' | 'conversations' | 'domains' | 'logos' | 'mails' | 'products' | 'publicUrlOf'
> {
  const { publicUrl, outbound } = config
  return {
    publicUrl,
    webhooks: {
      urlRules: outbound,
      seal: (secret) => keyring.seal(secret),
    },
  }
}
