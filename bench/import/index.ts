import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { LatencyHistogram } from '../support/latency-histogram.ts'
import { credentials, type RunningService, startService, type Tenant } from '../support/service.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { type Bare, insertBareIntoPostgres, insertBareIntoSqlite } from './bare.ts'
import { type Batch, toBatches } from './things.ts'

export const about =
  '10,000 products, objects and QR codes through the API, then the same again, compared with bare inserts'

/** What an installation has without settings. */
const DEFAULT_LIMITS = { RATE_LIMIT_PER_MINUTE: '600', RATE_LIMIT_PER_HOUR: '20000' }
/** Below the rate limit of the organisation that watches. */
const WATCH_PAUSE_MS = 110

interface Import {
  seconds: number
  longestMs: number
  /** The latency of a write by another organisation meanwhile. */
  others: LatencyHistogram
  /** How many items had each result. */
  results: Record<string, number>
}

export async function run(): Promise<void> {
  const batches = toBatches()
  const items = batches.reduce((total, batch) => total + batch.items, 0)
  console.log(`${whole(items)} items in ${batches.length} requests, one after another, at the default rate limits.`)
  const table: string[][] = []
  {
    await using service = await startService(undefined, DEFAULT_LIMITS)
    await measure('SQLite', service, batches, async () => insertBareIntoSqlite(service.dataDir), table)
  }
  {
    await using postgres = await startPostgres()
    const url = postgres.url('postgres')
    await using service = await startService(url, DEFAULT_LIMITS)
    await measure('PostgreSQL', service, batches, () => insertBareIntoPostgres(url), table)
  }
  const header = [
    '',
    '',
    'seconds',
    'items/s',
    'vs bare',
    'longest request',
    'events',
    "others' writes p50",
    'p99',
    'max',
  ]
  printTable(header, table, 2)
}

async function measure(
  engine: string,
  service: RunningService,
  batches: readonly Batch[],
  insertBare: () => Promise<Bare>,
  table: string[][],
): Promise<void> {
  const first = await importAll(service, batches)
  expectOnly(first.results, 'created')
  const newest = await newestEvent(service, service.first)
  const second = await importAll(service, batches)
  expectOnly(second.results, 'unchanged')
  const isSilent = (await newestEvent(service, service.first)) === newest
  const bare = await insertBare()
  const row = (name: string, { seconds, longestMs, others }: Import, events: string) => [
    name === 'first' ? engine : '',
    name,
    seconds.toFixed(2),
    whole(batches.reduce((total, batch) => total + batch.items, 0) / seconds),
    ratio(seconds / bare.seconds),
    ms(longestMs),
    events,
    ms(others.at(0.5)),
    ms(others.at(0.99)),
    ms(others.maxMs),
  ]
  table.push(row('first', first, 'one per item'), row('again', second, isSilent ? '0' : 'some'))
  table.push(['', `bare: ${whole(bare.rows)} rows`, bare.seconds.toFixed(2), '', '1.00', '', '', '', '', ''])
}

/** Sends all batches, while another organisation writes. */
async function importAll(service: RunningService, batches: readonly Batch[]): Promise<Import> {
  const results: Record<string, number> = {}
  const others = new LatencyHistogram()
  let isRunning = true
  const watching = watch(service, others, () => isRunning)
  let longestMs = 0
  const startedAtMs = performance.now()
  for (const { path, body } of batches) {
    const sentAtMs = performance.now()
    const { status, json } = await post(service, service.first, path, body)
    longestMs = Math.max(longestMs, performance.now() - sentAtMs)
    for (const item of json.data) {
      // The response for QR codes has no results: it is 201 if anything is new.
      const result = item.result ?? (status === 201 ? 'created' : 'unchanged')
      results[result] = (results[result] ?? 0) + 1
    }
  }
  const seconds = (performance.now() - startedAtMs) / 1000
  isRunning = false
  await watching
  return { seconds, longestMs, others, results }
}

let tags = 0

async function watch(service: RunningService, latencies: LatencyHistogram, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const sentAtMs = performance.now()
    await post(service, service.second, '/v1/article-tags', JSON.stringify({ name: `Care ${++tags}` }))
    latencies.add(performance.now() - sentAtMs)
    await new Promise((resolve) => setTimeout(resolve, WATCH_PAUSE_MS))
  }
}

async function post({ port }: RunningService, tenant: Tenant, path: string, body: string) {
  const headers = { ...credentials(tenant), 'content-type': 'application/json' }
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
  return { status: response.status, json: (await response.json()) as { data: { result?: string }[] } }
}

async function newestEvent({ port }: RunningService, tenant: Tenant): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/events?limit=1`, { headers: credentials(tenant) })
  return ((await response.json()) as { data: { id: string }[] }).data[0]?.id
}

function expectOnly(results: Record<string, number>, expected: string): void {
  const names = Object.keys(results)
  if (names.length !== 1 || names[0] !== expected)
    throw new Error(`expected only ${expected}: ${JSON.stringify(results)}`)
}
