import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable, whole } from '../../bench/support/table.ts'
import { Client } from '../../src/testing/client.ts'
import { freePort, startPostgres, type TestPostgres } from '../../src/testing/engines/postgres.ts'
import { killProcesses, type ServiceProcess, startServiceProcess } from '../../src/testing/process.ts'
import { type Audit, auditScans, journalDrained } from './audit.ts'
import { Scanners, type Seen } from './scanners.ts'

export const about = 'a redirect that was sent was counted, once: service and database killed and stopped under load'

const CODES = 20
const KILLS = 10
const OUTAGE_MS = 20_000
const CRASHES = 3
/** How long there is peace between two blows: at least, and how much longer by chance. */
const PEACE_MS = 700
const PEACE_JITTER_MS = 1300

export type Report = Seen & Audit

export async function run(): Promise<void> {
  const scenarios: Record<string, () => Promise<Report>> = {
    [`SQLite, service killed ${KILLS} times`]: () => killService('sqlite', KILLS),
    [`PostgreSQL, service killed ${KILLS} times`]: () => killService('postgres', KILLS),
    [`PostgreSQL stopped for ${OUTAGE_MS / 1000} s`]: () => stopDatabase(OUTAGE_MS, 'kept'),
    'the same, and the service killed meanwhile': () => stopDatabase(OUTAGE_MS, 'killed'),
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
  ['stored, answer lost', 'answerLost'],
  ['not redirected', 'notRedirected'],
  ['longest answer, ms', 'longestMs'],
]

export function check({ acknowledged, lost, twice, drift, notRedirected }: Report): void {
  if (acknowledged === 0) throw new Error('nobody was redirected')
  if (lost > 0) throw new Error(`${lost} scans were acknowledged and lost`)
  if (twice > 0) throw new Error(`${twice} scans were stored twice`)
  if (drift > 0) throw new Error(`counters and rows differ by ${drift}`)
  if (notRedirected > 0) throw new Error(`${notRedirected} scans led nowhere`)
}

interface Stage {
  service: Restartable
  postgres: TestPostgres | undefined
  scanners: Scanners
}

/** `kill -9` of the service at any moment, and a new start on the same data. */
export const killService = (engine: 'sqlite' | 'postgres', kills: number): Promise<Report> =>
  drill(engine, async ({ service, scanners }) => {
    for (let kill = 0; kill < kills; kill++) {
      await scanners.goOn(PEACE_MS + Math.random() * PEACE_JITTER_MS)
      await service.kill()
      await service.start()
    }
    await scanners.goOn(PEACE_MS)
  })

/** PostgreSQL is away. What the service put aside meanwhile outlives the service, too. */
export const stopDatabase = (outageMs: number, fate: 'kept' | 'killed'): Promise<Report> =>
  drill('postgres', async ({ service, postgres, scanners }) => {
    await scanners.goOn(PEACE_MS)
    await postgres?.halt('SIGQUIT')
    await scanners.goOn(outageMs)
    if (fate === 'killed') await service.kill()
    await postgres?.startAgain()
    if (fate === 'killed') await service.start()
    await scanners.goOn(PEACE_MS)
  })

/** PostgreSQL itself is killed, and recovers. */
const crashDatabase = (crashes: number): Promise<Report> =>
  drill('postgres', async ({ postgres, scanners }) => {
    for (let crash = 0; crash < crashes; crash++) {
      await scanners.goOn(PEACE_MS + Math.random() * PEACE_JITTER_MS)
      await postgres?.halt('SIGKILL')
      await scanners.goOn(PEACE_MS)
      await postgres?.startAgain()
    }
    await scanners.goOn(PEACE_MS)
  })

async function drill(engine: 'sqlite' | 'postgres', strike: (stage: Stage) => Promise<void>): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-drill-'))
  await using postgres = engine === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url('postgres')
  const port = await freePort()
  const service = restartable({ DATA_DIR: folder, PORT: String(port), ...(url && { DATABASE_URL: url }) })
  try {
    const { url: serviceUrl, stdout } = await service.start()
    const codes = await createCodes(new Client(serviceUrl, /wm_live_\w+/.exec(stdout)?.[0]))
    const scanners = new Scanners(
      port,
      codes.map(({ public_slug }) => public_slug),
    )
    try {
      await scanners.seenAll()
      await strike({ service, postgres, scanners })
    } finally {
      await scanners.stop()
    }
    await journalDrained(folder)
    await service.stop()
    const audit = await auditScans(
      url ? { url } : { file: join(folder, 'waymark.db') },
      codes.map(({ id }) => id),
      scanners.acknowledged,
    )
    return { ...scanners.seen(), ...audit }
  } finally {
    await killProcesses()
    await rm(folder, { recursive: true, force: true })
  }
}

async function createCodes(client: Client): Promise<{ id: string; public_slug: string }[]> {
  const destination = { url: 'https://acme.com/care' }
  return (await client.post('/v1/qr-codes/batch', { count: CODES, destination })).body.data
}

type Restartable = ReturnType<typeof restartable>

/** One process after the other, on the same data and the same port. */
function restartable(settings: Record<string, string>) {
  let current: ServiceProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    current?.send(signal)
    await current?.ended
  }
  return {
    start: async () => {
      current = await startServiceProcess(settings)
      return current
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}
