import type { IncomingMessage } from 'node:http'
import { type RecordedScan, VisitorSalt } from '../modules/codes/scans/index.ts'
import type { Clock } from '../platform/clock/index.ts'
import type { Database } from '../platform/db/index.ts'
import type { Server } from '../platform/http/server.ts'
import type { Logger } from '../platform/telemetry/logging.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { ScanHandler } from './handler.ts'
import { Journal } from './journal.ts'
import { Recorder } from './recorder.ts'
import { type HostRules, Resolver } from './resolve.ts'
import { createLocator } from './visitor/index.ts'

export interface ScanSettings {
  publicUrl: string
  hosts: HostRules
  /** Where scans wait for a database that is away: a folder for this database and no other. */
  journalDir: string
  location: { countryHeader: string | undefined; geoipFile: string | undefined }
  addressOf: (request: IncomingMessage) => string
}

/** Puts the path that phones take on the server. Answers how to end it, once the server takes no more requests. */
export async function mountScan(
  server: Server,
  database: Database,
  clock: Clock,
  { log, metrics }: { log: Logger; metrics: Metrics },
  { publicUrl, hosts, journalDir, location, addressOf }: ScanSettings,
): Promise<() => Promise<void>> {
  const locate = await createLocator(location)
  const journal = new Journal<RecordedScan>(journalDir)
  const recorder = new Recorder(database, journal, clock, log)
  const resolver = new Resolver(database, hosts, clock)
  const salt = new VisitorSalt(database)
  server.front = new ScanHandler({
    resolver,
    recorder,
    salt,
    locate,
    addressOf,
    publicUrl,
    clock,
    log,
    observe: (status, ms) => metrics.observeRequest('scan', status, ms / 1000),
    isClosing: () => server.isClosing,
  })
  return async () => {
    await recorder.close()
    resolver.close()
  }
}
