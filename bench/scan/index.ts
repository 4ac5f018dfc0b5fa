import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { type Code, createCodes, pathsOf, ScanTables } from '../support/scan-tables.ts'
import { credentials, type RunningService, startService } from '../support/service.ts'
import { median, ms, printTable, ratio, whole } from '../support/table.ts'
import { compareApiLatency } from './api-latency.ts'
import { PHONE_HEADERS, ScanGenerator } from './load.ts'
import { startDurableRedirects, startRedirects } from './redirects.ts'
import { createRuledGroup } from './ruled-group.ts'
import { type Measured, measureInTurn, ScanTarget } from './target.ts'

export const about = 'scans on both engines, compared with a bare redirect and with one that syncs a file first'

const CODES = 10_000
const MILLION = 1_000_000
/** Enough to compile the hot code and to put nearly every code into the cache. */
const WARM_UP_SCANS = 3 * CODES
/** If the bare server used less of a CPU than this, something else held it back and it is not the upper limit. */
const BUSY_SHARE_MIN = 0.9

export async function run(args: string[]): Promise<void> {
  const { seconds, rounds, connections, rows, million } = readOptions(args)

  await using generator = await ScanGenerator.start()
  await using sqlite = await startService()
  await using database = await startPostgres()
  await using postgres = await startService(database.url('postgres'))
  await using ruled = await startService()
  const group = { group_id: await createRuledGroup(ruled) }
  await using onSqlite = await prepare('SQLite', sqlite, { generator, rows })
  await using withRules = await prepare('SQLite, 10 rules', ruled, { generator, rows, codeFields: group })
  await using onPostgres = await prepare('PostgreSQL', postgres, { generator, rows, url: database.url('postgres') })
  const services = [onSqlite, withRules, onPostgres]

  const headers = await recordHeaders(onSqlite)
  await using bare = await startRedirects(headers)
  await using durable = await startDurableRedirects(headers)
  const durableLimit = new ScanTarget('durable limit', durable, generator, pathsOf(onSqlite.codes))
  const targets = [
    new ScanTarget('bare redirect', bare, generator, pathsOf(onSqlite.codes)),
    durableLimit,
    ...services.map(({ target }) => target),
  ]

  console.log(
    `${rounds} rounds of ${seconds} s, alternating between servers; medians; ${whole(rows)} scans stored beforehand.`,
  )
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
    [
      '',
      'server',
      'scans/s',
      'p50',
      'p99',
      'vs bare',
      'vs durable',
      'p99 vs durable',
      'CPU/scan',
      'main thread',
      'batch',
    ],
    table,
    2,
  )
  printLimits(bareRounds)

  await compareApiLatency(
    [{ target: durableLimit, headers: {} }, ...services.map(({ target, headers }) => ({ target, headers }))],
    { codesUsed: CODES, connections: connections[0] ?? 64 },
  )

  if (million) for (const { target } of services) await scanUpToMillion(target)
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
    throw new Error('--seconds, --rounds, --connections (for example 64,256) and --rows must be numbers')
  }
  return { seconds, rounds, rows, connections, million: values.million }
}

interface Prepared extends AsyncDisposable {
  target: ScanTarget
  tables: ScanTables
  codes: Code[]
  /** Credentials for the API. */
  headers: Record<string, string>
  memoryBeforeBytes: number
}

interface Preparation {
  generator: ScanGenerator
  rows: number
  /** Of the database, if it is PostgreSQL. */
  url?: string
  codeFields?: object
}

/** Creates the codes of a service and stores its earlier scans. */
async function prepare(
  name: string,
  service: RunningService,
  { generator, rows, url, codeFields }: Preparation,
): Promise<Prepared> {
  const { rssBytes: memoryBeforeBytes } = await service.usage()
  const codes = await createCodes(service, CODES, codeFields)
  const tables = await ScanTables.open(service, url)
  if (rows > 0) {
    console.error(`${name}: storing ${whole(rows)} scans`)
    await tables.fill(service.first.orgId, rows)
  }
  const target = new ScanTarget(name, service, generator, pathsOf(codes))
  const close = () => tables[Symbol.asyncDispose]()
  return {
    ...{ target, tables, codes, memoryBeforeBytes, headers: credentials(service.first) },
    [Symbol.asyncDispose]: close,
  }
}

/** Records the headers of a scan's response for the two limits. Node adds the ones that are left out. */
async function recordHeaders({ target, codes }: Prepared): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${target.server.port}/${codes[0]?.public_slug}`, {
    headers: PHONE_HEADERS,
    redirect: 'manual',
  })
  if (response.status !== 302) throw new Error(`a scan returned ${response.status}`)
  target.responses++
  return [...response.headers].filter(([name]) => !['connection', 'date', 'keep-alive'].includes(name)).flat()
}

/** Ratios are computed within each round, because the load on the machine changes between rounds. */
function toCells(rounds: Measured[], [bare = [], durable = []]: Measured[][]): string[] {
  const middle = (pick: (one: Measured) => number) => median(rounds.map(pick))
  const comparedWith = (limits: Measured[], pick: (one: Measured) => number) =>
    ratio(median(rounds.map((one, round) => pick(one) / pick(limits[round] ?? one))))
  const batch = middle((one) => one.batch)
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    comparedWith(bare, ({ perSecond }) => perSecond),
    comparedWith(durable, ({ perSecond }) => perSecond),
    `× ${comparedWith(durable, ({ p99Ms }) => p99Ms)}`,
    micros(middle(({ cpuMicrosEach }) => cpuMicrosEach)),
    micros(middle(({ mainThreadMicrosEach }) => mainThreadMicrosEach)),
    Number.isFinite(batch) ? whole(batch) : '',
  ]
}

function printLimits(bare: Measured[]): void {
  const generator = median(bare.map(({ generatorMicrosEach }) => generatorMicrosEach))
  console.log(`\nThe load generator uses ${micros(generator)} of CPU time per scan, on the same CPUs.`)
  const share = median(bare.map(({ perSecond, mainThreadMicrosEach }) => (perSecond * mainThreadMicrosEach) / 1e6))
  if (share < BUSY_SHARE_MIN) {
    console.log(
      `The bare server used only ${Math.round(share * 100)} % of a CPU: generator or machine was the bottleneck.` +
        '\nIts scans/s are too low, so the ratios look too good. The CPU times are still valid.',
    )
  }
}

async function scanUpToMillion(target: ScanTarget): Promise<void> {
  console.error(`${target.name}: scanning up to a million`)
  const requestsMax = Math.max(1, MILLION - target.responses)
  const { perSecond, p99Ms } = await target.run({ codesUsed: CODES, connections: 256, seconds: 3600, requestsMax })
  console.log(`\n${target.name}: ${whole(requestsMax)} scans at ${whole(perSecond)}/s, p99 ${ms(p99Ms)}.`)
}

/** Checks that every 302 response has a row and that every row is counted. */
async function compareCounts(services: readonly Prepared[], rowsBefore: number): Promise<void> {
  const table: string[][] = []
  let difference = 0
  for (const { target, tables, headers, memoryBeforeBytes } of services) {
    // A list of scans waits until all of them are stored.
    await fetch(`http://127.0.0.1:${target.server.port}/v1/scans`, { headers })
    const { rows, counted } = await tables.count()
    const { rssBytes } = await target.server.usage()
    const [stored, totals] = [rows - rowsBefore, counted - rowsBefore]
    const { name, responses } = target
    difference += Math.abs(stored - responses) + Math.abs(totals - responses)
    table.push([name, mb(memoryBeforeBytes), mb(rssBytes), whole(responses), whole(stored), whole(totals)])
  }
  printTable(['service', 'memory before', 'after', '302 responses', 'scans stored', 'sum of total_scans'], table)
  if (difference > 0) throw new Error(`responses, rows and counters differ by ${difference}`)
}

const micros = (value: number): string => `${value.toFixed(1)} µs`
const mb = (bytes: number): string => `${whole(bytes / 1e6)} MB`
