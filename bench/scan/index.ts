import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { credentials, type RunningService, startService } from '../support/service.ts'
import { median, ms, printTable, ratio, whole } from '../support/table.ts'
import { compareBystanders } from './bystander.ts'
import { type Code, createCodes, ScanTables } from './data.ts'
import { PHONE_HEADERS, ScanGenerator } from './load.ts'
import { startDurableRedirects, startRedirects } from './redirects.ts'
import { type Measured, measureInTurn, ScanTarget } from './target.ts'

export const about = 'scans on both engines, against a bare redirect and one that syncs a file before it answers'

const CODES = 10_000
const MILLION = 1_000_000
/** Until the hot code is compiled and nearly every code was met, so that it is remembered. */
const WARM_UP_SCANS = 3 * CODES
/** Below this the bare server waited for something else than itself, and is no limit. */
const BUSY_SHARE_MIN = 0.9

export async function run(args: string[]): Promise<void> {
  const { seconds, rounds, connections, rows, million } = readOptions(args)

  await using generator = await ScanGenerator.start()
  await using sqlite = await startService()
  await using database = await startPostgres()
  await using postgres = await startService(database.url('postgres'))
  await using onSqlite = await prepare('SQLite', sqlite, undefined, generator, rows)
  await using onPostgres = await prepare('PostgreSQL', postgres, database.url('postgres'), generator, rows)
  const services = [onSqlite, onPostgres]

  const headers = await sampleHeaders(onSqlite)
  await using bare = await startRedirects(headers)
  await using durable = await startDurableRedirects(headers)
  const durableLimit = new ScanTarget('durable limit', durable, generator, onSqlite.codes)
  const targets = [
    new ScanTarget('bare redirect', bare, generator, onSqlite.codes),
    durableLimit,
    ...services.map(({ target }) => target),
  ]

  console.log(`${rounds} rounds of ${seconds} s each in turn, medians; ${whole(rows)} scans stored before.`)
  for (const target of targets) {
    await target.run({ codesUsed: CODES, connections: 64, seconds: 60, requestsMax: WARM_UP_SCANS })
  }
  const table: string[][] = []
  const bareRounds: Measured[] = []
  for (const count of connections) {
    for (const codesUsed of [1, CODES]) {
      const load = { codesUsed, connections: count, seconds }
      const measured = await measureInTurn(targets, load, rounds)
      const title = `${codesUsed === 1 ? 'one code' : `${whole(codesUsed)} codes`}, ${count} connections`
      for (const [index, { name }] of targets.entries()) {
        table.push([index === 0 ? title : '', name, ...toCells(measured[index] ?? [], measured)])
      }
      bareRounds.push(...(measured[0] ?? []))
    }
  }
  printTable(
    ['', 'server', 'scans/s', 'p50', 'p99', 'of bare', 'of durable', 'its p99', 'CPU each', 'main thread', 'batch'],
    table,
    2,
  )
  tellLimits(bareRounds)

  await compareBystanders(
    [{ target: durableLimit, headers: {} }, ...services.map(({ target, me }) => ({ target, headers: me }))],
    { codesUsed: CODES, connections: connections[0] ?? 64 },
  )

  if (million) for (const { target } of services) await goOnToMillion(target)
  await compareCounts(services, rows)
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '1.5' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '64,256' },
      rows: { type: 'string', default: '0' },
      million: { type: 'boolean', default: false },
    },
  })
  const [seconds, rounds, rows] = [values.seconds, values.rounds, values.rows].map(Number) as [number, number, number]
  const connections = values.connections.split(',').map(Number)
  if (!(seconds > 0 && rounds >= 1 && rows >= 0 && connections.every((count) => count >= 1))) {
    throw new Error('--seconds, --rounds, --connections (such as 64,256) and --rows must be numbers')
  }
  return { seconds, rounds, rows, connections, million: values.million }
}

interface Prepared extends AsyncDisposable {
  target: ScanTarget
  tables: ScanTables
  codes: Code[]
  /** For the API. */
  me: Record<string, string>
  restBytes: number
}

/** Gives a service its codes and its history. */
async function prepare(
  name: string,
  service: RunningService,
  url: string | undefined,
  generator: ScanGenerator,
  rows: number,
): Promise<Prepared> {
  const { rssBytes: restBytes } = await service.usage()
  const codes = await createCodes(service, CODES)
  const tables = await ScanTables.open(service, url)
  if (rows > 0) {
    console.error(`${name}: storing ${whole(rows)} scans.`)
    await tables.fill(service.first.orgId, rows)
  }
  const target = new ScanTarget(name, service, generator, codes)
  const close = () => tables[Symbol.asyncDispose]()
  return { target, tables, codes, me: credentials(service.first), restBytes, [Symbol.asyncDispose]: close }
}

/** What the service answers, for the limits to answer the same. Node itself adds the rest. */
async function sampleHeaders({ target, codes }: Prepared): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${target.server.port}/${codes[0]?.public_slug}`, {
    headers: PHONE_HEADERS,
    redirect: 'manual',
  })
  if (response.status !== 302) throw new Error(`a scan was answered ${response.status}`)
  target.answers++
  return [...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)).flat()
}

/** Ratios are taken within each round, because the machine is not equally busy in all of them. */
function toCells(rounds: Measured[], [bare = [], durable = []]: Measured[][]): string[] {
  const middle = (pick: (one: Measured) => number) => median(rounds.map(pick))
  const against = (limits: Measured[], pick: (one: Measured) => number) =>
    ratio(median(rounds.map((one, round) => pick(one) / pick(limits[round] ?? one))))
  const batch = middle((one) => one.batch)
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    against(bare, ({ perSecond }) => perSecond),
    against(durable, ({ perSecond }) => perSecond),
    `× ${against(durable, ({ p99Ms }) => p99Ms)}`,
    micros(middle(({ cpuMicrosEach }) => cpuMicrosEach)),
    micros(middle(({ mainThreadMicrosEach }) => mainThreadMicrosEach)),
    Number.isFinite(batch) ? whole(batch) : '',
  ]
}

function tellLimits(bare: Measured[]): void {
  const generator = median(bare.map(({ generatorMicrosEach }) => generatorMicrosEach))
  console.log(`\nThe generator costs ${micros(generator)} of processor time for each scan, on the same processors.`)
  const share = median(bare.map(({ perSecond, mainThreadMicrosEach }) => (perSecond * mainThreadMicrosEach) / 1e6))
  if (share < BUSY_SHARE_MIN) {
    console.log(
      `The bare server got only ${Math.round(share * 100)} % of a processor: the load or the machine held it back.` +
        '\nIts scans/s are too low and ratios to them too good; processor times still hold.',
    )
  }
}

async function goOnToMillion(target: ScanTarget): Promise<void> {
  console.error(`${target.name}: on to a million scans.`)
  const requestsMax = Math.max(1, MILLION - target.answers)
  const { perSecond, p99Ms } = await target.run({ codesUsed: CODES, connections: 256, seconds: 3600, requestsMax })
  console.log(`\n${target.name}: ${whole(requestsMax)} scans at ${whole(perSecond)}/s, p99 ${ms(p99Ms)}.`)
}

/** Every answer must be a row, and every row be counted. */
async function compareCounts(services: readonly Prepared[], rowsBefore: number): Promise<void> {
  const table: string[][] = []
  let drift = 0
  for (const { target, tables, restBytes } of services) {
    const { rows, counted } = await tables.count()
    const { rssBytes } = await target.server.usage()
    const [stored, totals] = [rows - rowsBefore, counted - rowsBefore]
    drift += Math.abs(stored - target.answers) + Math.abs(totals - target.answers)
    table.push([target.name, mb(restBytes), mb(rssBytes), whole(target.answers), whole(stored), whole(totals)])
  }
  printTable(['service', 'memory at rest', 'now', 'answered 302', 'scans stored', 'sum of total_scans'], table)
  if (drift > 0) throw new Error(`answers, rows and counters differ by ${drift}`)
}

const micros = (value: number): string => `${value.toFixed(1)} µs`
const mb = (bytes: number): string => `${whole(bytes / 1e6)} MB`
