import { parseArgs } from 'node:util'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { type BareRoute, startBareServer } from '../support/bare.ts'
import { type Load, LoadGenerator } from '../support/load.ts'
import {
  COLUMNS,
  type Measurable,
  type Measured,
  measureInTurn,
  toCells,
  WARM_UP_SECONDS,
  warnIfBareIdle,
} from '../support/rounds.ts'
import { credentials, type RunningService, sessionOf, startService } from '../support/service.ts'
import { median, printTable, ratio, whole } from '../support/table.ts'
import { measureInsertingServer, measureInserts } from './durable-inserts.ts'

export const about = 'API reads, a list and writes on both engines, compared with bare Fastify'

const ROUNDS = 5
const TAGS = 1000

type Request = Pick<Load, 'method' | 'path' | 'headers' | 'body'>

interface Scenario {
  name: string
  /** The path on the bare server, in Fastify's syntax. */
  barePath: string
  request: (service: RunningService, tagId: string) => Request
}

const SCENARIOS: Scenario[] = [
  {
    name: 'GET  one tag',
    barePath: '/v1/article-tags/:id',
    request: ({ first }, tagId) => ({ method: 'GET', path: `/v1/article-tags/${tagId}`, headers: credentials(first) }),
  },
  {
    name: 'GET  one tag, in a session',
    barePath: '/v1/article-tags/:id',
    request: ({ first }, tagId) => ({ method: 'GET', path: `/v1/article-tags/${tagId}`, headers: sessionOf(first) }),
  },
  {
    name: 'GET  one tag, with an OAuth token',
    barePath: '/v1/article-tags/:id',
    request: ({ first }, tagId) => ({
      method: 'GET',
      path: `/v1/article-tags/${tagId}`,
      headers: credentials({ ...first, apiKey: first.accessToken }),
    }),
  },
  {
    name: 'GET  25 of 1,000 tags',
    barePath: '/v1/article-tags',
    request: ({ first }) => ({ method: 'GET', path: '/v1/article-tags?page_size=25', headers: credentials(first) }),
  },
  {
    name: 'POST a tag, Idempotency-Key',
    barePath: '/v1/article-tags',
    request: ({ second }) => createTag(second),
  },
  {
    name: 'GET  /v1/me',
    barePath: '/v1/me',
    request: ({ first }) => ({ method: 'GET', path: '/v1/me', headers: credentials(first) }),
  },
]

let writers = 0

/** Each call uses its own number, so that idempotency keys and names are unique across calls. */
function createTag(tenant: RunningService['first']): Request {
  const writer = ++writers
  return {
    method: 'POST',
    path: '/v1/article-tags',
    headers: { ...credentials(tenant), 'content-type': 'application/json', 'idempotency-key': `bench-${writer}-{n}` },
    body: JSON.stringify({ name: `Care instructions ${writer} {n}` }),
  }
}

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '2' }, connections: { type: 'string', default: '32' } },
  })
  const seconds = Number(values.seconds)
  const connections = Number(values.connections)
  if (!(seconds > 0 && connections >= 1)) throw new Error('--seconds and --connections must be numbers above 0')

  await using generator = await LoadGenerator.start()
  await using sqlite = await startService()
  await using postgres = await startPostgres()
  await using overPostgres = await startService(postgres.url('postgres'))
  const tagIds = { sqlite: await seed(generator, sqlite), postgres: await seed(generator, overPostgres) }
  const routes = await Promise.all(SCENARIOS.map((scenario) => recordResponse(scenario, sqlite, tagIds.sqlite)))
  // Several credentials may read the same path.
  const distinct = new Map(routes.map((route) => [`${route.method} ${route.path}`, route]))
  await using bare = await startBareServer([...distinct.values()])

  const targets: Target[] = [
    { name: 'bare Fastify', server: bare, service: sqlite, tagId: tagIds.sqlite },
    { name: 'SQLite', server: sqlite, service: sqlite, tagId: tagIds.sqlite },
    { name: 'PostgreSQL', server: overPostgres, service: overPostgres, tagId: tagIds.postgres },
  ]
  console.log(`${ROUNDS} rounds of ${seconds} s, alternating between servers; ${connections} connections; medians.`)
  const rows: string[][] = []
  const limits: Measured[] = []
  const writes: Measured[] = []
  for (const scenario of SCENARIOS) {
    const send = ({ server, service, tagId }: Target, duration: number) =>
      generator.run({ port: server.port, ...scenario.request(service, tagId), connections, seconds: duration })
    const measured = await measureInTurn(targets, send, { rounds: ROUNDS, seconds })
    const [limit = []] = measured
    limits.push(...limit)
    for (const [index, { name }] of targets.entries()) {
      rows.push([index === 0 ? scenario.name : '', name, ...toCells(measured[index] ?? [], limit)])
    }
    if (scenario.request(sqlite, '').method === 'POST') writes.push(...(measured[1] ?? []))
  }
  printTable(['', 'server', 'requests/s', ...COLUMNS], rows, 2)
  warnIfBareIdle(limits)
  const post = routes.find(({ method }) => method === 'POST') as BareRoute
  const perRequest = await measureInsertingServer(post, async (port) => {
    const send = (duration: number) =>
      generator.run({ port, ...createTag(sqlite.second), connections, seconds: duration })
    await send(WARM_UP_SECONDS)
    const rounds: number[] = []
    while (rounds.length < ROUNDS) rounds.push((await send(seconds)).perSecond)
    return median(rounds)
  })
  const withoutServer = (perCommit: number) =>
    median(Array.from({ length: ROUNDS }, () => measureInserts(perCommit, seconds)))
  const postsPerSecond = median(writes.map(({ perSecond }) => perSecond))
  const toRow = (name: string, perSecond: number) => [name, whole(perSecond), ratio(postsPerSecond / perSecond)]
  printTable(
    ['durable inserts into SQLite', 'rows/s', 'POST on SQLite'],
    [
      toRow('one per request, bare Fastify', perRequest),
      toRow('one per commit, without a server', withoutServer(1)),
      toRow(`${connections} per commit, without a server`, withoutServer(connections)),
    ],
    1,
  )
}

interface Target {
  name: string
  server: Measurable['server'] & { port: number }
  /** The service whose credentials and rows the requests use. The bare server ignores both. */
  service: RunningService
  tagId: string
}

/** Creates the tags that are read and returns the id of one of them. */
async function seed(generator: LoadGenerator, { port, first }: RunningService): Promise<string> {
  await generator.run({ port, ...createTag(first), connections: 16, seconds: 60, requestsMax: TAGS })
  const response = await fetch(`http://127.0.0.1:${port}/v1/article-tags?page=20`, { headers: credentials(first) })
  const { total, data } = (await response.json()) as { total: number; data: { id: string }[] }
  const id = data[0]?.id
  if (total !== TAGS || id === undefined) throw new Error(`created ${total} tags instead of ${TAGS}`)
  return id
}

/** Records the service's response, so that the bare server can send the same one. */
async function recordResponse({ barePath, request }: Scenario, service: RunningService, tagId: string) {
  const { method, path, headers, body } = request(service, tagId)
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, { method, headers, ...(body && { body }) })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}`)
  const contentType = response.headers.get('content-type') ?? ''
  return { method, path: barePath, status: response.status, contentType, body: (await response.json()) as unknown }
}
