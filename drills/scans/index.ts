import { printTable, whole } from '../../bench/support/table.ts'
import type { Engine } from '../../src/platform/db/types.ts'
import type { Client } from '../../src/testing/client.ts'
import { type Load, onStage, type Stage } from '../restartable.ts'
import { type Audit, auditScans, journalDrained } from './audit.ts'
import { type Pace, Scanners, type Seen } from './scanners.ts'

export const about = 'every redirect is counted exactly once while the service and the database are killed under load'

const CODES = 20
const KILLS = 10
const OUTAGE_MS = 20_000
const CRASHES = 3
/** Minimum time between two faults, and how much longer it can randomly get. */
const CALM_MS = 700
const CALM_JITTER_MS = 1300

export type Report = Seen & Audit

export async function run(): Promise<void> {
  const scenarios: Record<string, () => Promise<Report>> = {
    [`SQLite, service killed ${KILLS} times`]: () => killService('sqlite', KILLS),
    [`PostgreSQL, service killed ${KILLS} times`]: () => killService('postgres', KILLS),
    [`PostgreSQL stopped for ${OUTAGE_MS / 1000} s`]: () => stopDatabase(OUTAGE_MS, 'kept'),
    [`PostgreSQL stopped for ${OUTAGE_MS / 1000} s, service killed`]: () => stopDatabase(OUTAGE_MS, 'killed'),
    [`PostgreSQL killed ${CRASHES} times`]: () => crashDatabase(CRASHES),
  }
  const rows: string[][] = []
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const report = await scenario()
      rows.push([name, ...COLUMNS.map(([, cell]) => whole(report[cell]))])
      check(report)
    }
  } finally {
    printTable(['', ...COLUMNS.map(([title]) => title)], rows)
  }
}

const COLUMNS: [title: string, cell: keyof Report][] = [
  ['scans/s', 'perSecond'],
  ['acknowledged', 'acknowledged'],
  ['stored', 'stored'],
  ['lost', 'lost'],
  ['twice', 'twice'],
  ['drift', 'drift'],
  ['stored, no response', 'responseLost'],
  ['not redirected', 'notRedirected'],
  ['slowest response, ms', 'longestMs'],
]

export function check({ acknowledged, lost, twice, drift, notRedirected }: Report): void {
  if (acknowledged === 0) throw new Error('no scan was redirected')
  if (lost > 0) throw new Error(`${lost} acknowledged scans were lost`)
  if (twice > 0) throw new Error(`${twice} scans were stored twice`)
  if (drift > 0) throw new Error(`counters differ from rows by ${drift}`)
  if (notRedirected > 0) throw new Error(`${notRedirected} scans were not redirected`)
}

/** Kills the service with SIGKILL at random times and restarts it on the same data. */
const killService = (engine: 'sqlite' | 'postgres', kills: number): Promise<Report> =>
  drill(engine, undefined, async ({ services: [service] }, scanners) => {
    for (let kill = 0; kill < kills; kill++) {
      await scanners.keepScanning(CALM_MS + Math.random() * CALM_JITTER_MS)
      await service.kill()
      await service.start()
    }
    await scanners.keepScanning(CALM_MS)
  })

/** Stops PostgreSQL for a while. Scans journalled meanwhile must survive even if the service is killed. */
export const stopDatabase = (outageMs: number, serviceIs: 'kept' | 'killed', pace?: Pace): Promise<Report> =>
  drill('postgres', pace, async ({ services: [service], postgres }, scanners) => {
    await scanners.keepScanning(CALM_MS)
    await postgres?.halt('SIGQUIT')
    await scanners.keepScanning(outageMs)
    if (serviceIs === 'killed') await service.kill()
    await postgres?.startAgain()
    if (serviceIs === 'killed') await service.start()
    await scanners.keepScanning(CALM_MS)
  })

/** Kills PostgreSQL with SIGKILL and lets it recover. */
const crashDatabase = (crashes: number): Promise<Report> =>
  drill('postgres', undefined, async ({ postgres }, scanners) => {
    for (let crash = 0; crash < crashes; crash++) {
      await scanners.keepScanning(CALM_MS + Math.random() * CALM_JITTER_MS)
      await postgres?.halt('SIGKILL')
      await scanners.keepScanning(CALM_MS)
      await postgres?.startAgain()
    }
    await scanners.keepScanning(CALM_MS)
  })

async function drill(
  engine: Engine,
  pace: Pace | undefined,
  injectFaults: (stage: Stage, scanners: Scanners) => Promise<void>,
): Promise<Report> {
  return await onStage(engine, {}, async (stage) => {
    const load = await scanCodes(stage, pace)
    try {
      await load.scanners.allCodesScanned()
      await injectFaults(stage, load.scanners)
    } finally {
      await load.scanners.stop()
    }
    await journalDrained(stage.folder)
    await stage.services[0].stop()
    return await load.audit(stage.location)
  })
}

/** Scans codes until its scanners are stopped. */
export async function scanCodes({ services: [service], clients: [client] }: Stage, pace?: Pace) {
  const codes = await createCodes(client)
  const slugs = codes.map(({ public_slug }) => public_slug)
  const scanners = new Scanners(service.port, slugs, pace)
  return {
    scanners,
    answered: () => scanners.acknowledged.size,
    ended: scanners.ended,
    audit: async (location) => {
      const ids = codes.map(({ id }) => id)
      return { ...scanners.seen(), ...(await auditScans(location, ids, scanners.acknowledged)) }
    },
  } satisfies Load<Report> & { scanners: Scanners }
}

async function createCodes(client: Client): Promise<{ id: string; public_slug: string }[]> {
  const destination = { url: 'https://acme.com/care' }
  return (await client.post('/v1/qr-codes/batch', { count: CODES, destination })).body.data
}
