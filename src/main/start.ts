import { setTimeout as sleep } from 'node:timers/promises'
import { createFirstOrganisation, findOwnerCommand } from '../modules/account/first-organisation/index.ts'
import { hasOrganisations } from '../modules/account/organisations/index.ts'
import { SECOND_MS, systemClock, timestamp } from '../platform/clock/index.ts'
import { findDamagedDatabase } from '../platform/db/failures.ts'
import type { Database } from '../platform/db/index.ts'
import { checkFile } from '../platform/db/sqlite/check-file.ts'
import { ApiError } from '../platform/errors/index.ts'
import { OperatorError } from '../platform/errors/operator-error.ts'
import { thisBuild } from '../platform/telemetry/build.ts'
import { createLogger } from '../platform/telemetry/logging.ts'
import type { Config } from './config.ts'
import { damagedDatabase } from './damaged-database.ts'
import { createDataDir, lockDataDir } from './data-dir.ts'
import { exitIfStuck } from './exit-if-stuck.ts'
import { limitHeapGrowth, releaseNewSpace } from './limit-heap-growth.ts'
import { setUpUrl } from './links.ts'
import { explainDatabase } from './open-database.ts'
import { type ProcessRole, type Service, startService } from './service.ts'

/** What the first person needs. */
interface FirstSecrets {
  apiKey: string
  /** Opens the page where the first owner creates their account. Works once. */
  setUpUrl: string
}

export interface Ready {
  url: string
  /** The base of the addresses in codes. */
  publicUrl: string
  isFirstStart: boolean
  /** Makes the first owner. Only on later starts, and only if there is none. */
  ownerCommand: string | undefined
  /** Only on the very first start, and only if they can be shown. */
  secrets: FirstSecrets | undefined
}

/** Starts the service, which then runs until SIGINT or SIGTERM. */
export async function start(
  config: Config,
  role: ProcessRole,
  canShowSecrets: boolean,
  announce: (ready: Ready) => void,
): Promise<void> {
  limitHeapGrowth()
  const log = createLogger(config.logLevel)
  const open = createDataDir(config.dataDir)
  if (open.length > 0) {
    log.warn(
      { paths: open },
      `other users of this machine have access to the data. Run \`chmod -R go= ${config.dataDir}\``,
    )
  }
  const unlock = 'file' in config.database ? lockDataDir(config.dataDir) : () => {}
  let service: Service
  try {
    if ('file' in config.database) checkFile(config.database.file)
    service = await startService(config, role, log)
  } catch (error) {
    unlock()
    throw explain(error, config)
  }
  log.info({ ...thisBuild(), role }, 'Waymark serves')
  stopOnSignal(async () => {
    if (config.drainMs > 0) {
      log.info('stopping: health checks fail from now on, so that a proxy uses other instances')
      service.drain()
      await sleep(config.drainMs)
    }
    exitIfStuck(log)
    await service.close()
    unlock()
    log.info('stopped')
    await new Promise((resolve) => log.flush(resolve))
  })

  // With port 0 the system picks a free port.
  const withPort = (url: string) => url.replace(/:0$/, `:${service.port}`)
  const url = withPort(config.appUrl)
  announce({
    url,
    publicUrl: withPort(config.publicUrl),
    ...(await setUp(service.database, config, url, canShowSecrets)),
  })
  service
    .prepare()
    .then(
      () => log.info('prepared for first requests'),
      (error) => log.warn({ err: error }, 'not prepared for first requests: they take longer'),
    )
    .finally(releaseNewSpace)
}

const laterStart = async ({ read }: Database) => ({
  isFirstStart: false,
  ownerCommand: await findOwnerCommand(read),
  secrets: undefined,
})

/**
 * Creates the first organisation, and if they can be shown, an API key and a link for its owner. Does nothing on later
 * starts.
 */
async function setUp(
  database: Database,
  { credits }: Config,
  url: string,
  canShowSecrets: boolean,
): Promise<Omit<Ready, 'url' | 'publicUrl'>> {
  if (await hasOrganisations(database.read)) return laterStart(database)
  const now = timestamp(systemClock())
  try {
    const first = { credits: credits.starting, canShowSecrets }
    const created = await database.write((tx) => createFirstOrganisation(tx, now, first))
    const secrets = created && { apiKey: created.apiKey, setUpUrl: setUpUrl(url, created.setUpToken) }
    return { isFirstStart: true, ownerCommand: undefined, secrets }
  } catch (error) {
    // Another instance on the same database was first.
    if (error instanceof ApiError && error.code === 'conflict') return laterStart(database)
    throw error
  }
}

/** One Ctrl-C may arrive twice, from the terminal and from npm. Only a later signal forces an exit. */
const SAME_SIGNAL_MS = SECOND_MS

/** On SIGINT or SIGTERM, completes requests in flight and exits with 0. A second signal exits at once, with 1. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSinceMs: number | undefined
  const onSignal = () => {
    if (stoppingSinceMs !== undefined) {
      if (systemClock() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSinceMs = systemClock()
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

type NetworkError = NodeJS.ErrnoException & { port?: number; hostname?: string }

/** Turns common start-up failures into errors that say what to do. */
function explain(error: unknown, { host, port, metricsPort, database }: Config): unknown {
  const damage = findDamagedDatabase(error)
  if (damage !== undefined && 'file' in database) return damagedDatabase(database.file, damage.message)
  const { code, port: busyPort, hostname } = error as NetworkError
  const setting = busyPort !== undefined && busyPort === metricsPort && busyPort !== port ? 'METRICS_PORT' : 'PORT'
  if (code === 'EADDRINUSE') {
    return new OperatorError(
      `Port ${busyPort} is already in use. Stop the process that uses it, or set ${setting} to another port.`,
    )
  }
  if (code === 'EACCES')
    return new OperatorError(`No permission to open port ${busyPort}. Set ${setting} to a port above 1023.`)
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && hostname === host)) {
    return new OperatorError(`HOST ${host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`)
  }
  if ('url' in database || code === 'ERR_SQLITE_ERROR') return explainDatabase(error, database)
  return error
}
