import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { type BareRoute, startBareServer } from '../support/bare.ts'
import { type Load, LoadGenerator } from '../support/load.ts'
import { type Measurable, type Measured, measureInTurn, medianOf } from '../support/rounds.ts'
import { credentials, type RunningService, startService } from '../support/service.ts'
import { ms, printTable, ratio, whole } from '../support/table.ts'

export const about = 'small writes on both engines, compared with a bare server that commits one row for each'

/** The rate of a write, as a share of that of the bare server. */
const AIMS: Record<string, number> = { SQLite: 0.7, PostgreSQL: 0.5 }

/** Until the JIT has compiled the code of a write. On a busy machine, that takes longer than a round. */
const WARM_UP_REQUESTS = 15_000
const WARM_UP_SECONDS_MAX = 60

type Request = Pick<Load, 'method' | 'path' | 'headers' | 'body'>

interface Scenario {
  name: string
  path: string
  /** `{n}` is a number that is unique within a load, and `writer` a number that is unique across loads. */
  body: (writer: number) => object
  isIdempotent?: true
}

const tag = (writer: number) => ({ name: `Care instructions ${writer} {n}` })

const SCENARIOS: Scenario[] = [
  { name: 'POST a tag', path: '/v1/article-tags', body: tag },
  { name: 'POST a tag, Idempotency-Key', path: '/v1/article-tags', body: tag, isIdempotent: true },
  {
    name: 'POST a QR code',
    path: '/v1/qr-codes',
    body: (writer) => ({
      name: `Chair ${writer} {n}`,
      destination: { type: 'url', url: 'https://acme.com/chairs/oak?utm_source=label' },
    }),
  },
]

interface Target extends Measurable {
  name: string
  server: Measurable['server'] & { port: number }
  service: RunningService
  path: string
  /** Where the results of the bare server of the same engine are. */
  limit: number
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '64' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const [seconds, connections, rounds] = [Number(values.seconds), Number(values.connections), Number(values.rounds)]
  if (!(seconds > 0 && connections >= 1 && rounds >= 1))
    throw new Error('--seconds, --connections and --rounds must be numbers above 0')

  await using stack = new AsyncDisposableStack()
  const generator = stack.use(await LoadGenerator.start())
  const postgres = stack.use(await startPostgres())
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const sqlite = stack.use(await startService())
  const overPostgres = stack.use(await startService(postgres.url('postgres')))
  const responses = await Promise.all(SCENARIOS.map((scenario) => recordResponse(scenario, sqlite)))
  const bare = stack.use(
    await startBareServer(
      responses.flatMap((route, n) => [
        { ...route, path: barePath(n, 'each'), insertsInto: join(folder, `each-${n}.db`) },
        { ...route, path: barePath(n, 'together'), insertsInto: join(folder, `${n}.db`), commitsTogether: true },
        { ...route, path: barePath(n, 'postgres'), insertsInto: postgres.url('postgres') },
      ]),
    ),
  )

  console.log(`${rounds} rounds of ${seconds} s, alternating between servers; ${connections} connections; medians.`)
  const table: string[][] = []
  for (const [n, scenario] of SCENARIOS.entries()) {
    const { path } = scenario
    const targets: Target[] = [
      { name: 'bare, SQLite, one commit for each', server: bare, service: sqlite, path: barePath(n, 'each'), limit: 1 },
      { name: 'bare, SQLite, commits shared', server: bare, service: sqlite, path: barePath(n, 'together'), limit: 1 },
      { name: 'SQLite', server: sqlite, service: sqlite, path, limit: 1 },
      { name: 'bare, PostgreSQL', server: bare, service: overPostgres, path: barePath(n, 'postgres'), limit: 3 },
      { name: 'PostgreSQL', server: overPostgres, service: overPostgres, path, limit: 3 },
    ]
    const send = ({ server, service, path }: Target, duration: number) =>
      generator.run({ port: server.port, ...toRequest(scenario, service), path, connections, seconds: duration })
    for (const { server, service } of targets.filter(({ server }) => server !== bare)) {
      const requests = { requestsMax: WARM_UP_REQUESTS, seconds: WARM_UP_SECONDS_MAX }
      await generator.run({ port: server.port, ...toRequest(scenario, service), connections, ...requests })
    }
    const measured = await measureInTurn(targets, send, { rounds, seconds })
    for (const [place, { name, limit }] of targets.entries()) {
      const cells = toCells(measured[place] ?? [], measured[limit] ?? [])
      const aim = AIMS[name]
      const vsAlone = aim === undefined || limit !== 1 ? '' : ratio(rateRatio(measured[place] ?? [], measured[0] ?? []))
      table.push([place === 0 ? scenario.name : '', name, ...cells, vsAlone, aim === undefined ? '' : ratio(aim)])
    }
  }
  printTable(
    ['', 'server', 'requests/s', 'p50', 'p99', 'vs bare', 'main thread', 'CPU', 'vs bare', 'vs one each', 'aim'],
    table,
    2,
  )
}

const rateRatio = (rounds: readonly Measured[], others: readonly Measured[]): number =>
  medianOf(rounds, others, (one, other) => one.perSecond / other.perSecond)

const barePath = (scenario: number, commits: string): string => `/${scenario}/${commits}`

/**
 * "vs bare" compares rates, and then the CPU time of the process; "vs one each" the rate with that of one commit for each row.
 * The server of PostgreSQL is a process of its own.
 */
function toCells(rounds: readonly Measured[], bare: readonly Measured[]): string[] {
  const middle = (pick: (one: Measured, sameRound: Measured) => number) => medianOf(rounds, bare, pick)
  return [
    whole(middle(({ perSecond }) => perSecond)),
    ms(middle(({ p50Ms }) => p50Ms)),
    ms(middle(({ p99Ms }) => p99Ms)),
    ratio(rateRatio(rounds, bare)),
    `${whole(middle(({ mainThreadMicrosEach }) => mainThreadMicrosEach))} µs`,
    `${whole(middle(({ cpuMicrosEach }) => cpuMicrosEach))} µs`,
    ratio(middle((one, limit) => limit.cpuMicrosEach / one.cpuMicrosEach)),
  ]
}

let writers = 0

function toRequest({ path, body, isIdempotent }: Scenario, { second }: RunningService): Request {
  const writer = ++writers
  const headers = {
    ...credentials(second),
    'content-type': 'application/json',
    ...(isIdempotent && { 'idempotency-key': `bench-${writer}-{n}` }),
  }
  return { method: 'POST', path, headers, body: JSON.stringify(body(writer)) }
}

/** Records the service's response, so that the bare server can send the same one. */
async function recordResponse(scenario: Scenario, service: RunningService): Promise<Omit<BareRoute, 'path'>> {
  const { method, path, headers, body = '' } = toRequest(scenario, service)
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { method, headers, body })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  const contentType = response.headers.get('content-type') ?? ''
  return { method: 'POST', status: response.status, contentType, body: (await response.json()) as unknown }
}
