import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { startBareServer } from '../support/bare.ts'
import { LoadGenerator } from '../support/load.ts'
import {
  COLUMNS,
  type Measurable,
  type Measured,
  measureInTurn,
  medianOf,
  toCells,
  warnIfBareIdle,
} from '../support/rounds.ts'
import { printTable, ratio, whole } from '../support/table.ts'
import { ARTICLES_MIN } from './fill.ts'
import { PAGES, type PageLoad, visit } from './pages.ts'
import { type HelpCentre, startHelpCentre } from './service.ts'

export const about = 'pages of small and large help centres on both engines, compared with bare Fastify'

export async function run(args: string[]): Promise<void> {
  const { sizes, seconds, rounds, connections } = readOptions(args)

  await using stack = new AsyncDisposableStack()
  const readers = stack.use(await LoadGenerator.start())
  const postgres = stack.use(await startPostgres())
  const centres: HelpCentre[] = []
  for (const articles of sizes) centres.push(stack.use(await startHelpCentre(articles)))
  for (const articles of sizes) {
    const database = await createDatabase(postgres.url('postgres'), `articles_${articles}`)
    centres.push(stack.use(await startHelpCentre(articles, postgres.url(database))))
  }
  const large = centres[sizes.length - 1] as HelpCentre
  const samples = await Promise.all(PAGES.map((page) => visit(large, page)))
  const bare = stack.use(await startBareServer(samples.map(toBareRoute)))

  console.log(`${rounds} rounds of ${seconds} s, alternating between servers; ${connections} connections; medians.`)
  const table: string[][] = []
  const limits: Measured[] = []
  for (const [index, page] of PAGES.entries()) {
    const sent = samples[index] as PageLoad
    const targets: Target[] = [{ name: 'bare Fastify', server: bare, visit: { ...sent, path: barePath(index) } }]
    for (const centre of centres) {
      targets.push({ name: centre.name, server: centre, visit: await visit(centre, page), centre })
    }
    const send = ({ server, visit: { bytes: _, ...request } }: Target, duration: number) =>
      readers.run({ port: server.port, method: 'GET', ...request, connections, seconds: duration })
    const measured = await measureInTurn(targets, send, { rounds, seconds })
    const [limit = []] = measured
    limits.push(...limit)
    for (const [place, { name, centre }] of targets.entries()) {
      const own = measured[place] ?? []
      const smallest = targets.findIndex((other) => centre !== undefined && other.centre?.engine === centre.engine)
      const title = place === 0 ? page.name : place === 1 ? `  ${whole(sent.bytes)} bytes` : ''
      table.push([title, name, ...toCells(own, limit), toGrowth(own, measured[smallest])])
    }
  }
  printTable(['', 'server, articles', 'pages/s', ...COLUMNS, `vs ${whole(sizes[0] as number)}`], table, 2)
  warnIfBareIdle(limits)
}

interface Target {
  name: string
  server: Measurable['server'] & { port: number }
  visit: PageLoad
  /** Undefined for the bare server. */
  centre?: HelpCentre
}

/** Returns how much longer a page takes than in the smallest help centre on the same engine. */
const toGrowth = (rounds: readonly Measured[], smallest: readonly Measured[] | undefined): string =>
  smallest === undefined
    ? ''
    : `× ${ratio(medianOf(rounds, smallest, (one, small) => small.perSecond / one.perSecond))}`

const barePath = (index: number): string => `/pages/${index}`

const toBareRoute = ({ status, bytes }: PageLoad, index: number) => ({
  method: 'GET' as const,
  path: barePath(index),
  status,
  contentType: 'text/html; charset=utf-8',
  body: 'x'.repeat(bytes),
})

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
    return name
  } finally {
    await client.end()
  }
}

function readOptions(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      articles: { type: 'string', default: '1000,100000' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '5' },
      connections: { type: 'string', default: '32' },
    },
  })
  const sizes = values.articles.split(',').map(Number)
  const [seconds, rounds, connections] = [Number(values.seconds), Number(values.rounds), Number(values.connections)]
  if (!sizes.every((size) => Number.isInteger(size) && size >= ARTICLES_MIN)) {
    throw new Error(`--articles must be whole numbers of at least ${ARTICLES_MIN}, separated by commas`)
  }
  if (!(seconds > 0 && rounds >= 1 && connections >= 1)) {
    throw new Error('--seconds, --rounds and --connections must be numbers above 0')
  }
  return { sizes, seconds, rounds, connections }
}
