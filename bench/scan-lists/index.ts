import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { LoadGenerator, type Outcome } from '../support/load.ts'
import { type Code, createCodes, ScanTables } from '../support/scan-tables.ts'
import { credentials, type RunningService, startService } from '../support/service.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'

export const about = 'page 1,000 of the scan lists compared with page 1, with a million rows or more'

const CODES = 10_000
/** The share of all scans that one code gets, so that its own list also has 1,000 pages. */
const HOT_SHARE = 0.2
const PAGE_SIZE = 25
const FAR_PAGE = 1000
const WARM_UP_SECONDS = 1

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '3' } },
  })
  const [rows, seconds] = [Number(values.rows), Number(values.seconds)]
  const rowsMin = (FAR_PAGE * PAGE_SIZE * 2) / HOT_SHARE
  if (!(Number.isInteger(rows) && rows >= rowsMin && seconds > 0)) {
    throw new Error(`--rows must be a whole number of at least ${rowsMin} and --seconds a number above 0`)
  }
  await using generator = await LoadGenerator.start()
  {
    await using service = await startService()
    await using tables = await ScanTables.open(service)
    await measure('SQLite', service, tables, generator, rows, seconds)
  }
  {
    await using postgres = await startPostgres()
    const url = postgres.url('postgres')
    await using service = await startService(url)
    await using tables = await ScanTables.open(service, url)
    await measure('PostgreSQL', service, tables, generator, rows, seconds)
  }
}

async function measure(
  engine: string,
  service: RunningService,
  tables: ScanTables,
  generator: LoadGenerator,
  rows: number,
  seconds: number,
): Promise<void> {
  const codes = await createCodes(service, CODES)
  const hot = codes[0] as Code
  const startedAt = performance.now()
  await tables.fill(service.first.orgId, rows, { id: hot.id, share: HOT_SHARE })
  console.log(`${engine}: stored ${whole(rows)} scans in ${whole((performance.now() - startedAt) / 1000)} s`)

  const table: string[][] = []
  for (const path of ['/v1/scans', `/v1/qr-codes/${hot.id}/scans`]) {
    const send = async (cursor: string, duration: number): Promise<Outcome> =>
      generator.run({
        port: service.port,
        method: 'GET',
        path: `${path}?limit=${PAGE_SIZE}${cursor}`,
        headers: credentials(service.first),
        connections: 1,
        seconds: duration,
      })
    const farCursor = await findCursor(service, path, FAR_PAGE)
    await send('', WARM_UP_SECONDS)
    const first = await send('', seconds)
    const thousandth = await send(farCursor, seconds)
    const bare = await tables.timePage(service.first.orgId, path === '/v1/scans' ? undefined : hot.id, PAGE_SIZE)
    table.push([
      path.replace(hot.id, '{id}'),
      ms(bare),
      ms(first.p50Ms),
      ms(first.p99Ms),
      ms(thousandth.p50Ms),
      ms(thousandth.p99Ms),
      ratio(thousandth.p50Ms / first.p50Ms),
    ])
  }
  printTable(
    [`${engine}, ${whole(rows)} scans`, 'bare query', 'page 1 p50', 'p99', 'page 1,000 p50', 'p99', 'p50 ratio'],
    table,
  )
}

/** Returns the cursor of a page. The only way to get one is to fetch all pages before it. */
async function findCursor({ port, first }: RunningService, path: string, page: number): Promise<string> {
  let cursor = ''
  // Fetch 100 rows at a time to save requests; the cursor after the same rows is the same.
  for (let passed = 0; passed < (page - 1) * PAGE_SIZE; passed += 100) {
    const limit = Math.min(100, (page - 1) * PAGE_SIZE - passed)
    const response = await fetch(`http://127.0.0.1:${port}${path}?limit=${limit}${cursor}`, {
      headers: credentials(first),
    })
    const { next_cursor } = (await response.json()) as { next_cursor: string | null }
    if (next_cursor === null) throw new Error(`${path} has fewer than ${page} pages`)
    cursor = `&cursor=${encodeURIComponent(next_cursor)}`
  }
  return cursor
}
