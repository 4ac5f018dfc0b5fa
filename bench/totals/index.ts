import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { type Load, LoadGenerator, type LoadResult } from '../support/load.ts'
import { credentials, type RunningService, startService, type Tenant } from '../support/service.ts'
import { median, ms, printTable, whole } from '../support/table.ts'
import { connectPostgres, type DirectDatabase, fillTags, openSqliteFile } from './fill.ts'

export const about = 'lists of a million rows compared with lists of a thousand, and other requests meanwhile'

const SMALL_ROWS = 1000
const PAGE_SIZE = 25
const WARM_UP_SECONDS = 1
/** Long enough to add no load, short enough to notice a stall of the event loop. */
const WATCH_PAUSE_MS = 5
const CREATED = 200

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '3' } },
  })
  const rows = Number(values.rows)
  const seconds = Number(values.seconds)
  if (!(Number.isInteger(rows) && rows > SMALL_ROWS && seconds > 0)) {
    throw new Error(`--rows must be a whole number above ${SMALL_ROWS} and --seconds a number above 0`)
  }

  await using generator = await LoadGenerator.start()
  await using watcher = await LoadGenerator.start()
  const bench = { generator, watcher, rows, seconds }
  {
    await using service = await startService()
    await using direct = openSqliteFile(service.dataDir)
    await measure('SQLite', service, direct, bench)
  }
  {
    await using postgres = await startPostgres()
    await using service = await startService(postgres.url('postgres'))
    await using direct = await connectPostgres(postgres.url('postgres'))
    await measure('PostgreSQL', service, direct, bench)
  }
}

interface Bench {
  generator: LoadGenerator
  watcher: LoadGenerator
  rows: number
  seconds: number
}

async function measure(engine: string, service: RunningService, direct: DirectDatabase, bench: Bench): Promise<void> {
  const { first: small, second: large } = service
  await fill(engine, direct, small, SMALL_ROWS)
  await fill(engine, direct, large, bench.rows)

  const idle = await watch(service, small, bench)
  const table = [['GET /v1/me when idle', '', '', '', '', ms(idle.p99Ms), ms(idle.maxMs)]]
  for (const [name, query] of Object.entries(QUERIES)) {
    const path = (count: number) => `/v1/article-tags?page_size=${PAGE_SIZE}${query(count)}`
    const few = await request(service, small, { method: 'GET', path: path(SMALL_ROWS) }, bench)
    const many = await request(service, large, { method: 'GET', path: path(bench.rows) }, bench)
    table.push(toRow(name, few, many))
  }
  const few = await request(service, small, createTag('small'), bench)
  const many = await request(service, large, createTag('large'), bench)
  table.push(toRow('create a tag', few, many))
  const counts = [await timeCount(direct, small, SMALL_ROWS), await timeCount(direct, large, bench.rows)]
  table.push(['select count(*), for comparison', ms(counts[0] ?? 0), '', ms(counts[1] ?? 0), '', '', ''])

  const title = `${engine}, one request at a time`
  printTable(
    [title, `${whole(SMALL_ROWS)} p50`, 'p99', `${whole(bench.rows)} p50`, 'p99', '/v1/me meanwhile p99', 'max'],
    table,
  )
}

/** The query of each list request. Page numbers depend on the number of rows. */
const QUERIES: Record<string, (rows: number) => string> = {
  'page 1': () => '',
  'page 1,000 (or the middle)': (rows) => `&page=${Math.min(1000, Math.ceil(rows / PAGE_SIZE / 2))}`,
  'last page': (rows) => `&page=${Math.ceil(rows / PAGE_SIZE)}`,
  'search, one match': () => '&search=0000500',
  'search, all match': () => '&search=instructions',
}

const createTag = (kind: string): Pick<Load, 'method' | 'path' | 'body' | 'requestsMax'> => ({
  method: 'POST',
  path: '/v1/article-tags',
  body: JSON.stringify({ name: `Created ${kind} {n}` }),
  requestsMax: CREATED,
})

interface Measured {
  outcome: LoadResult
  watched: LoadResult
}

/** Repeats a request on one connection and measures `/v1/me` of the same service at the same time. */
async function request(
  service: RunningService,
  tenant: Tenant,
  repeated: Pick<Load, 'method' | 'path' | 'body' | 'requestsMax'>,
  bench: Bench,
): Promise<Measured> {
  const headers = { ...credentials(tenant), ...(repeated.body !== undefined && { 'content-type': 'application/json' }) }
  const load: Load = { port: service.port, ...repeated, headers, connections: 1, seconds: bench.seconds }
  if (repeated.method === 'GET') await bench.generator.run({ ...load, seconds: WARM_UP_SECONDS })
  const [outcome, watched] = await Promise.all([bench.generator.run(load), watch(service, tenant, bench)])
  return { outcome, watched }
}

const watch = ({ port }: RunningService, tenant: Tenant, { watcher, seconds }: Bench): Promise<LoadResult> =>
  watcher.run({
    port,
    method: 'GET',
    path: '/v1/me',
    headers: credentials(tenant),
    connections: 1,
    seconds,
    pauseMs: WATCH_PAUSE_MS,
  })

const toRow = (name: string, few: Measured, many: Measured): string[] => [
  name,
  ms(few.outcome.p50Ms),
  ms(few.outcome.p99Ms),
  ms(many.outcome.p50Ms),
  ms(many.outcome.p99Ms),
  ms(many.watched.p99Ms),
  ms(many.watched.maxMs),
]

async function fill(engine: string, direct: DirectDatabase, { orgId }: Tenant, rows: number): Promise<void> {
  const startedAt = performance.now()
  const show = (done: number) => {
    const seconds = (performance.now() - startedAt) / 1000
    const text = `${engine}: ${whole(done)} of ${whole(rows)} tags, ${whole(done / seconds)}/s`
    if (process.stderr.isTTY) process.stderr.write(`\r${text}   ${done === rows ? '\n' : ''}`)
    else if (done === rows || done % 200_000 === 0) process.stderr.write(`${text}\n`)
  }
  await fillTags(direct, orgId, rows, show)
}

async function timeCount(direct: DirectDatabase, { orgId }: Tenant, atLeast: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    const startedAt = performance.now()
    const counted = await direct.countTags(orgId)
    times.push(performance.now() - startedAt)
    if (counted < atLeast) throw new Error(`counted ${counted} tags, expected at least ${atLeast}`)
  }
  return median(times)
}
