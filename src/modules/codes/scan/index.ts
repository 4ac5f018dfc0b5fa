import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../../platform/clock/index.ts'
import type { Database } from '../../../platform/db/index.ts'
import type { Server } from '../../../platform/http/server/server.ts'
import { LoadedOnce } from '../../../platform/jobs/loaded-once.ts'
import type { Keyring } from '../../../platform/keyring/index.ts'
import type { Logger } from '../../../platform/telemetry/logging.ts'
import type { Metrics } from '../../../platform/telemetry/metrics.ts'
import type { PublicHosts } from '../../domains/custom-domains/index.ts'
import { VisitorSalt } from '../scans/index.ts'
import type { Simulate } from '../simulations/index.ts'
import { ScanHandler } from './handler.ts'
import { Senders } from './pages/senders.ts'
import type { ScanRecorder } from './recorder.ts'
import type { IsOpen } from './redirect.ts'
import { Resolver } from './resolve.ts'
import { Responder } from './respond.ts'
import { ScanNumbers } from './scan-numbers.ts'
import { ScanRowBuilder } from './scan-row.ts'
import type { ShowPage } from './show-page.ts'
import { simulate } from './simulate.ts'
import { createLocator } from './visitor/index.ts'

export { mountResolverDescription } from './gs1/index.ts'
export { openScanRecorder } from './recorder.ts'

export interface ScanSettings {
  publicUrl: string
  appUrl: string
  hosts: PublicHosts
  recorder: ScanRecorder
  location: { countryHeader: string | undefined; geoipFile: string | undefined }
  addressOf: (request: IncomingMessage) => string
  showPage: ShowPage
  isOpen: IsOpen
  keyring: Keyring
}

interface SimulationSettings {
  recorder: ScanRecorder
  knowsCountries: boolean
  publicUrl: string
}

/** Opens what decides about simulated scans with the first of them: many processes have none. */
export function openSimulation(
  database: Database,
  openHosts: () => PublicHosts,
  clock: Clock,
  { recorder, ...settings }: SimulationSettings,
): Simulate {
  const services = new LoadedOnce(async () => ({
    ...settings,
    resolver: new Resolver(database, openHosts(), clock),
    numbers: new ScanNumbers({ database, clock, settled: (orgId) => recorder.settled(orgId) }),
  }))
  return async (ctx, request) => simulate(await services.get(), ctx, request)
}

interface CreatedScans {
  handler: ScanHandler
  close(): void
}

/** Handles scans, and the requests that nobody else handles. */
export async function createScans(
  server: Pick<Server, 'compression'>,
  database: Database,
  clock: Clock,
  { log, metrics }: { log: Logger; metrics: Metrics },
  { publicUrl, appUrl, hosts, recorder, location, addressOf, showPage, isOpen, keyring }: ScanSettings,
): Promise<CreatedScans> {
  const rows = new ScanRowBuilder(await createLocator(location), addressOf)
  const resolver = new Resolver(database, hosts, clock)
  const caches = { ...resolver.caches, scan_user_agents: rows.userAgents }
  for (const [name, cache] of Object.entries(caches)) metrics.watchBudget(name, cache)
  const responder = new Responder({
    observe: (status, ms) => metrics.observeRequest('scan', status, ms / 1000),
    compression: server.compression,
  })
  const salt = new VisitorSalt(database)
  const numbers = new ScanNumbers({ database, clock, settled: (orgId) => recorder.settled(orgId) })
  metrics.watchBudget('scan_numbers', numbers)
  const senders = new Senders(database, log, metrics)
  const steps = { resolver, hosts, recorder, rows, numbers, responder, salt, senders }
  return {
    handler: new ScanHandler({ ...steps, showPage, isOpen, keyring, publicUrl, appUrl, clock, log }),
    close: () => resolver.close(),
  }
}
