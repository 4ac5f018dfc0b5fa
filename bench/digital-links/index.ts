import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { ScanGenerator } from '../scan/load.ts'
import { type Measured, measureInTurn, ScanTarget } from '../scan/target.ts'
import { createCodes, pathsOf } from '../support/scan-tables.ts'
import { credentials, type RunningService, startService } from '../support/service.ts'
import { median, ms, printTable, ratio, whole } from '../support/table.ts'

export const about = 'scans of GS1 Digital Links on both engines, compared with scans of QR codes'

const TARGETS = 200
/** Enough to compile the hot code. */
const WARM_UP_SCANS = 20_000
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'ja']

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '1.5' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '64' },
    },
  })
  const [seconds, rounds, connections] = [values.seconds, values.rounds, values.connections].map(Number)
  if (!(seconds && rounds && connections)) throw new Error('--seconds, --rounds and --connections must be numbers')

  await using generator = await ScanGenerator.start()
  await using sqlite = await startService()
  await using database = await startPostgres()
  await using postgres = await startService(database.url('postgres'))
  const table: string[][] = []
  for (const [engine, service] of [
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ] as const) {
    const targets = await prepare(service, generator)
    const load = { codesUsed: TARGETS, connections, seconds }
    for (const target of targets) await target.run({ ...load, seconds: 60, requestsMax: WARM_UP_SCANS })
    const measured = await measureInTurn(targets, load, rounds)
    for (const [index, { name }] of targets.entries()) {
      table.push([index === 0 ? engine : '', name, ...toCells(measured[index] ?? [], measured[0] ?? [])])
    }
  }
  console.log(`${rounds} rounds of ${seconds} s with ${connections} connections, alternating; medians.`)
  printTable(['', 'scanned', 'scans/s', 'p50', 'p99', 'vs QR code', 'CPU/scan', 'main thread'], table, 2)
}

/** QR codes are the measure; then products with a destination, and products with a link in each of several languages. */
async function prepare(service: RunningService, generator: ScanGenerator): Promise<ScanTarget[]> {
  const codes = pathsOf(await createCodes(service, TARGETS))
  const plain = await createProducts(service, 0, [])
  const linked = await createProducts(
    service,
    TARGETS,
    LANGUAGES.map((language) => ({
      link_type: 'gs1:pip',
      url: `https://acme.com/${language}`,
      title: 'Oak chair',
      language,
      is_default: language === 'en',
    })),
  )
  return [
    new ScanTarget('QR code', service, generator, codes),
    new ScanTarget('Digital Link', service, generator, plain),
    new ScanTarget(
      `of a lot, ${LANGUAGES.length} languages`,
      service,
      generator,
      linked.map((path) => `${path}/10/L42`),
    ),
  ]
}

/** Returns the paths of their Digital Links. */
async function createProducts(service: RunningService, from: number, links: object[]): Promise<string[]> {
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/v1${path}`, {
      method,
      headers: { ...credentials(service.first), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string; url: string }
  }
  const paths: string[] = []
  for (let n = from; n < from + TARGETS; n++) {
    const destination = { url: 'https://acme.com/chairs/oak?utm_source=label' }
    const { id, url } = await send('POST', '/products', { name: `Chair ${n}`, gtin: gtinOf(n), destination })
    if (links.length > 0) await send('PUT', `/products/${id}/links`, { links })
    paths.push(new URL(url).pathname)
  }
  return paths
}

function gtinOf(n: number): string {
  const body = `0950600${String(n).padStart(6, '0')}`
  const sum = [...body].reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

/** Ratios are computed within each round, because the load on the machine changes between rounds. */
function toCells(rounds: Measured[], codes: Measured[]): string[] {
  const middle = (pick: (one: Measured) => number) => median(rounds.map(pick))
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    ratio(median(rounds.map((one, round) => one.perSecond / (codes[round] ?? one).perSecond))),
    `${middle(({ cpuMicrosEach }) => cpuMicrosEach).toFixed(1)} µs`,
    `${middle(({ mainThreadMicrosEach }) => mainThreadMicrosEach).toFixed(1)} µs`,
  ]
}
