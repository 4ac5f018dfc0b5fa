import { parseArgs } from 'node:util'
import { LoadGenerator } from '../support/load.ts'
import { type Measured, measureInTurn } from '../support/rounds.ts'
import { credentials, type RunningService } from '../support/service.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'
import { COLD_SCANS, type Engine, HOT_SHARE, type ScannedCodes, startScannedCodes } from './scanned-codes.ts'

export const about = 'scan lists of a million scans (--rows) compared with those of 10,000, and page 1,000 with page 1'

const SMALL_ROWS = 10_000
const PAGE_SIZE = 25
const FAR_PAGE = 1000
/** How many times as long a page may take as the one that it is compared with. */
const GROWTH_MAX = 1.3

/** The lists, with the code that they belong to. Only long lists have a far page. */
const LISTS = [
  { name: 'all scans', owner: undefined, isLong: true },
  { name: 'of a code with a fifth of them', owner: 'hot', isLong: true },
  { name: `of a code with ${COLD_SCANS} scans`, owner: 'cold', isLong: false },
  { name: 'of a code without scans', owner: 'unscanned', isLong: false },
] as const
type List = (typeof LISTS)[number]

interface Options {
  rows: number
  seconds: number
  rounds: number
}

export async function run(args: string[]): Promise<void> {
  const options = readOptions(args)
  console.log(`${options.rounds} rounds of ${options.seconds} s, in turn; one request at a time; fastest rounds.`)
  await using generator = await LoadGenerator.start()
  const slow = [...(await measure('SQLite', generator, options)), ...(await measure('PostgreSQL', generator, options))]
  if (slow.length > 0) throw new Error(`more than ${GROWTH_MAX} times as long: ${slow.join('; ')}`)
}

/** Prints a table. Returns the pages that take too long. */
async function measure(engine: Engine, generator: LoadGenerator, { rows, ...turns }: Options): Promise<string[]> {
  await using small = await startScannedCodes(engine, SMALL_ROWS)
  await using large = await startScannedCodes(engine, rows)
  const slow: string[] = []
  const table: string[][] = []
  for (const list of LISTS) {
    const { name, owner, isLong } = list
    const targets = [
      { server: small.service, path: firstPage(small, list) },
      { server: large.service, path: firstPage(large, list) },
    ]
    if (isLong) targets.push({ server: large.service, path: await farPage(large, list) })
    const send = ({ server: { port, first }, path }: (typeof targets)[number], seconds: number) =>
      generator.run({ port, method: 'GET', path, headers: credentials(first), connections: 1, seconds })
    const [few = [], many = [], far = []] = await measureInTurn(targets, send, turns)

    const growth = p50(many) / p50(few)
    const farGrowth = p50(far) / p50(many)
    if (growth > GROWTH_MAX) slow.push(`${engine}, page 1 ${name}`)
    if (isLong && farGrowth > GROWTH_MAX) slow.push(`${engine}, page ${whole(FAR_PAGE)} ${name}`)
    const bare = await large.tables.timePage(large.service.first.orgId, owner && large[owner], PAGE_SIZE)
    table.push([
      name,
      ms(bare),
      ms(p50(few)),
      ms(p50(many)),
      ratio(growth),
      ...(isLong ? [ms(p50(far)), ratio(farGrowth)] : ['', '']),
    ])
  }
  const [few, many, far] = [SMALL_ROWS, rows, FAR_PAGE].map(whole)
  printTable(
    [`${engine}, scans`, 'bare query', `of ${few} p50`, `of ${many} p50`, 'ratio', `page ${far} p50`, 'ratio'],
    table,
  )
  return slow
}

/** Takes the fastest round, because other load on the machine can only slow requests down. */
const p50 = (rounds: readonly Measured[]): number => Math.min(...rounds.map(({ p50Ms }) => p50Ms))

const firstPage = (codes: ScannedCodes, { owner }: List): string =>
  `/v1/${owner === undefined ? '' : `qr-codes/${codes[owner]}/`}scans?limit=${PAGE_SIZE}`

const farPage = async (codes: ScannedCodes, list: List): Promise<string> => {
  const path = firstPage(codes, list)
  return `${path}&cursor=${encodeURIComponent(await findCursor(codes.service, path.replace(/\?.*/, '')))}`
}

/** Returns the cursor of the far page. The only way to get one is to fetch all pages before it. */
async function findCursor({ port, first }: RunningService, path: string): Promise<string> {
  const rowsBefore = (FAR_PAGE - 1) * PAGE_SIZE
  let cursor = ''
  // Fetch 100 rows at a time to save requests; the cursor after the same rows is the same.
  for (let passed = 0; passed < rowsBefore; passed += 100) {
    const query = new URLSearchParams({ limit: `${Math.min(100, rowsBefore - passed)}`, ...(cursor && { cursor }) })
    const response = await fetch(`http://127.0.0.1:${port}${path}?${query}`, { headers: credentials(first) })
    const { next_cursor } = (await response.json()) as { next_cursor: string | null }
    if (next_cursor === null) throw new Error(`${path} has fewer than ${FAR_PAGE} pages`)
    cursor = next_cursor
  }
  return cursor
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '1' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const [rows, seconds, rounds] = [Number(values.rows), Number(values.seconds), Number(values.rounds)]
  const rowsMin = (FAR_PAGE * PAGE_SIZE * 2) / HOT_SHARE
  if (!(Number.isInteger(rows) && rows >= rowsMin && seconds > 0 && rounds >= 1)) {
    throw new Error(`--rows must be a whole number of at least ${rowsMin}; --seconds and --rounds must be above 0`)
  }
  return { rows, seconds, rounds }
}
