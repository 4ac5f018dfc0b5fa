import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from '../src/testing/postgres.ts'
import { startBareServer } from './support/bare.ts'
import { ARTICLES_MIN } from './support/help-centre-fill.ts'
import { Readers, type ReadingOutcome } from './support/help-centre-load.ts'
import { PAGES, type Visit, visit } from './support/help-centre-pages.ts'
import { type HelpCentre, startHelpCentre } from './support/help-centre-service.ts'
import { median, ms, printTable, ratio, whole } from './support/table.ts'

export const about = 'pages of small and large help centres on both engines, against a Fastify that sends the same'

/** Until the hot code is compiled. */
const WARM_UP_SECONDS = 2
/** Below this the bare server waited for something else than itself, and is no limit. */
const BUSY_SHARE_MIN = 0.9

export async function run(args: string[]): Promise<void> {
  const { sizes, seconds, rounds, connections } = readOptions(args)

  await using stack = new AsyncDisposableStack()
  const readers = stack.use(await Readers.start())
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
  const bareShares: number[] = []
  for (const [index, page] of PAGES.entries()) {
    const sent = samples[index] as Visit
    const targets: Target[] = [{ name: 'bare Fastify', server: bare, visit: { ...sent, path: bareRoute(index) } }]
    for (const centre of centres) {
      targets.push({ name: centre.name, server: centre, visit: await visit(centre, page), centre })
    }
    const send = ({ server, visit: { body: _, ...asked } }: Target, duration: number) =>
      readers.run({ port: server.port, ...asked, connections, seconds: duration })
    for (const target of targets) await send(target, WARM_UP_SECONDS)

    const measured = targets.map((): Measured[] => [])
    for (let round = 0; round < rounds; round++) {
      for (const [place, target] of targets.entries()) {
        const cpuBefore = await target.server.cpuMicros()
        const outcome = await send(target, seconds)
        const cpuMicros = (await target.server.cpuMicros()) - cpuBefore
        measured[place]?.push({ ...outcome, cpuMicrosEach: cpuMicros / outcome.answers })
      }
    }
    const limit = measured[0] as Measured[]
    bareShares.push(...limit.map(({ perSecond, cpuMicrosEach }) => (perSecond * cpuMicrosEach) / 1e6))
    for (const [place, { name, centre }] of targets.entries()) {
      const smallest = targets.findIndex((other) => centre !== undefined && other.centre?.engine === centre.engine)
      const title = place === 0 ? page.name : place === 1 ? `  ${whole(Buffer.byteLength(sent.body))} bytes` : ''
      table.push([title, name, ...toCells(measured[place] ?? [], limit, measured[smallest])])
    }
  }
  const first = `to ${whole(sizes[0] as number)}`
  printTable(['', 'server, articles', 'pages/s', 'p50', 'p99', 'of bare', 'CPU each', 'of bare', first], table, 2)
  const share = median(bareShares)
  if (share < BUSY_SHARE_MIN) {
    console.log(
      `\nThe bare server got only ${Math.round(share * 100)} % of a processor: the load or the machine held it back.` +
        '\nIts pages/s are too low and ratios to them too good; the ratios of CPU time still hold.',
    )
  }
}

interface Target {
  name: string
  server: { port: number; cpuMicros(): Promise<number> }
  visit: Visit
  /** Left out for the bare server. */
  centre?: HelpCentre
}

/** The processor time is that of the server's process: on a machine that is busy with other things it wavers less. */
type Measured = ReadingOutcome & { cpuMicrosEach: number }

/**
 * Ratios are taken within each round, because the machine is not equally busy in all of them. The last one is how much
 * longer a page takes than in the smallest help centre on the same engine.
 */
function toCells(rounds: Measured[], bare: Measured[], smallest: Measured[] | undefined): string[] {
  const middle = (pick: (one: Measured, sameRound: Measured) => number, others = bare) =>
    median(rounds.map((one, round) => pick(one, others[round] ?? one)))
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    ratio(middle((one, limit) => one.perSecond / limit.perSecond)),
    `${whole(middle(({ cpuMicrosEach }) => cpuMicrosEach))} µs`,
    ratio(middle((one, limit) => limit.cpuMicrosEach / one.cpuMicrosEach)),
    smallest === undefined ? '' : `× ${ratio(middle((one, small) => small.perSecond / one.perSecond, smallest))}`,
  ]
}

const bareRoute = (index: number): string => `/pages/${index}`

const toBareAnswer = ({ status, body }: Visit, index: number) => ({
  method: 'GET' as const,
  route: bareRoute(index),
  status,
  contentType: 'text/html; charset=utf-8',
  // A text that is no JSON by its type is sent as it is.
  json: body,
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
