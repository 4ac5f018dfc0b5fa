import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { startBareServer } from '../support/bare.ts'
import { LoadGenerator } from '../support/load.ts'
import { CELLS, type Measured, measureInTurn, middleOf, noteIdleBare, toCells } from '../support/rounds.ts'
import { printTable, ratio, whole } from '../support/table.ts'
import { ARTICLES_MIN } from './fill.ts'
import { PAGES, type Visit, visit } from './pages.ts'
import { type HelpCentre, startHelpCentre } from './service.ts'

export const about = 'pages of small and large help centres on both engines, against a Fastify that sends the same'

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
  const bare = stack.use(await startBareServer(samples.map(toBareAnswer)))

  console.log(`${rounds} rounds of ${seconds} s each in turn, ${connections} connections, medians.`)
  const table: string[][] = []
  const limits: Measured[] = []
  for (const [index, page] of PAGES.entries()) {
    const sent = samples[index] as Visit
    const targets: Target[] = [{ name: 'bare Fastify', server: bare, visit: { ...sent, path: bareRoute(index) } }]
    for (const centre of centres) {
      targets.push({ name: centre.name, server: centre, visit: await visit(centre, page), centre })
    }
    const send = ({ server, visit: { page: _, ...asked } }: Target, duration: number) =>
      readers.run({ port: server.port, method: 'GET', ...asked, connections, seconds: duration })
    const measured = await measureInTurn(targets, send, { rounds, seconds })
    const [limit = []] = measured
    limits.push(...limit)
    for (const [place, { name, centre }] of targets.entries()) {
      const own = measured[place] ?? []
      const smallest = targets.findIndex((other) => centre !== undefined && other.centre?.engine === centre.engine)
      const title = place === 0 ? page.name : place === 1 ? `  ${whole(Buffer.byteLength(sent.page))} bytes` : ''
      table.push([title, name, ...toCells(own, limit), toGrowth(own, measured[smallest])])
    }
  }
  printTable(['', 'server, articles', 'pages/s', ...CELLS, `to ${whole(sizes[0] as number)}`], table, 2)
  noteIdleBare(limits)
}

interface Target {
  name: string
  server: { port: number; cpuMicros(): Promise<number> }
  visit: Visit
  /** Left out for the bare server. */
  centre?: HelpCentre
}

/** How much longer a page takes than in the smallest help centre on the same engine. */
const toGrowth = (rounds: readonly Measured[], smallest: readonly Measured[] | undefined): string =>
  smallest === undefined
    ? ''
    : `× ${ratio(middleOf(rounds, smallest, (one, small) => small.perSecond / one.perSecond))}`

const bareRoute = (index: number): string => `/pages/${index}`

const toBareAnswer = ({ status, page }: Visit, index: number) => ({
  method: 'GET' as const,
  route: bareRoute(index),
  status,
  contentType: 'text/html; charset=utf-8',
  // A text that is no JSON by its type is sent as it is.
  json: page,
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
    throw new Error(`--articles are whole numbers from ${ARTICLES_MIN}, with commas between them`)
  }
  if (!(seconds > 0 && rounds >= 1 && connections >= 1)) {
    throw new Error('--seconds, --rounds and --connections must be numbers above 0')
  }
  return { sizes, seconds, rounds, connections }
}
