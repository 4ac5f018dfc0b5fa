import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '../../src/testing/client.ts'
import { startPostgres } from '../../src/testing/engines/postgres.ts'
import { type BareRoute, startBareServer } from '../support/bare.ts'
import { type Load, LoadGenerator } from '../support/load.ts'
import { COLUMNS, type Measured, measureInTurn, toCells, warnIfBareIdle } from '../support/rounds.ts'
import { type RunningService, startService } from '../support/service.ts'
import { printTable } from '../support/table.ts'

export const about =
  'public pages and their forms on both engines, compared with bare Fastify that sends or stores the same'

const ROUNDS = 5
/** Every visitor may send 30 forms a minute, and open 40 receipts a second. */
const VISITORS = 9999
const ADDRESS = { 'x-forwarded-for': '2001:db8:{n}::1' }

interface Stage extends RunningService {
  pageId: string
  publicSlug: string
  objectSlug: string
  /** The cookie of a visitor who has opened the page before. */
  cookie: string
  /** The path of the receipt of a form about the object. */
  receipt: string
}

type Request = Pick<Load, 'method' | 'path' | 'headers' | 'body' | 'outOf'>

interface Scenario {
  name: string
  /** Whether the bare server commits a row for each request, too. */
  stores?: true
  request: (stage: Stage) => Request
}

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const ANSWERS = { what: 'The belt is loose again.', email: 'visitor@acme.example' }
const page = ({ publicSlug }: Stage) => `/p/${publicSlug}`

const SCENARIOS: readonly Scenario[] = [
  {
    name: 'GET  page, again',
    request: (stage) => ({ method: 'GET', path: page(stage), headers: { ...BROWSER, cookie: stage.cookie } }),
  },
  {
    name: 'GET  page, again, compressed',
    request: (stage) => ({
      method: 'GET',
      path: page(stage),
      headers: { ...BROWSER, cookie: stage.cookie, 'accept-encoding': 'br' },
    }),
  },
  {
    name: 'GET  page, first visit (a view is stored)',
    stores: true,
    request: (stage) => ({ method: 'GET', path: page(stage), headers: BROWSER }),
  },
  {
    name: 'GET  object’s code, page in place (scan and view)',
    stores: true,
    request: ({ objectSlug }) => ({ method: 'GET', path: `/o/${objectSlug}`, headers: BROWSER }),
  },
  {
    name: 'GET  receipt (scanned object, two replies)',
    request: ({ receipt }) => ({
      method: 'GET',
      path: receipt,
      headers: { ...BROWSER, ...ADDRESS },
      outOf: VISITORS,
    }),
  },
  {
    name: 'POST form',
    stores: true,
    request: (stage) => ({
      method: 'POST',
      path: page(stage),
      headers: {
        ...BROWSER,
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...ADDRESS,
      },
      body: new URLSearchParams(ANSWERS).toString(),
      outOf: VISITORS,
    }),
  },
]

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string', default: '2' }, connections: { type: 'string', default: '32' } },
  })
  const [seconds, connections] = [Number(values.seconds), Number(values.connections)]
  if (!(seconds > 0 && connections >= 1)) throw new Error('--seconds and --connections must be numbers above 0')

  await using stack = new AsyncDisposableStack()
  const generator = stack.use(await LoadGenerator.start())
  const postgres = stack.use(await startPostgres())
  const folder = await mkdtemp(join(tmpdir(), 'waymark-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const stages = [
    { name: 'SQLite', stage: await prepare(stack.use(await startService(undefined, BEHIND_PROXY))) },
    { name: 'PostgreSQL', stage: await prepare(stack.use(await startService(postgres.url('postgres'), BEHIND_PROXY))) },
  ]
  const sqlite = stages[0]?.stage as Stage
  const routes: BareRoute[] = []
  for (const [n, scenario] of SCENARIOS.entries()) {
    const route = await recordResponse(scenario, sqlite, `/bare/${n}`)
    if (!scenario.stores) routes.push(route)
    else {
      routes.push({ ...route, path: `${route.path}/SQLite`, insertsInto: join(folder, `${n}.db`) })
      routes.push({ ...route, path: `${route.path}/PostgreSQL`, insertsInto: postgres.url('postgres') })
    }
  }
  const bare = stack.use(await startBareServer(routes))

  console.log(`${ROUNDS} rounds of ${seconds} s, alternating between servers; ${connections} connections; medians.`)
  const rows: string[][] = []
  const limits: Measured[] = []
  for (const [n, scenario] of SCENARIOS.entries()) {
    const limitOf = (engine: string) =>
      scenario.stores
        ? { name: `bare, one durable insert into ${engine}`, path: `/bare/${n}/${engine}` }
        : { name: 'bare Fastify', path: `/bare/${n}` }
    const targets = stages.flatMap(({ name, stage }) => [
      { ...limitOf(name), server: bare, stage },
      { name, path: scenario.request(stage).path, server: stage, stage },
    ])
    const send = ({ server, stage, path }: (typeof targets)[number], duration: number) =>
      generator.run({ port: server.port, ...scenario.request(stage), path, connections, seconds: duration })
    const measured = await measureInTurn(targets, send, { rounds: ROUNDS, seconds })
    for (const [place, { name, server }] of targets.entries()) {
      const ofBare = measured[place - (place % 2)] ?? []
      if (server === bare && !scenario.stores) limits.push(...ofBare)
      rows.push([place === 0 ? scenario.name : '', name, ...toCells(measured[place] ?? [], ofBare)])
    }
  }
  printTable(['', 'server', 'requests/s', ...COLUMNS], rows, 2)
  warnIfBareIdle(limits)
}

/** The load can then come from many visitors, and no limit stops it. */
const BEHIND_PROXY = { TRUST_PROXY: '127.0.0.1', FORMS_PER_MINUTE: '1000000' }

/** Creates a page with a form, an object whose code shows it, and what a visitor who has sent the form sees. */
async function prepare(service: RunningService): Promise<Stage> {
  const origin = `http://127.0.0.1:${service.port}`
  const client = new Client(origin, service.first.apiKey)
  const create = async (path: string, body: object) => {
    const { status, text, body: created } = await client.post(`/v1${path}`, body)
    if (status !== 201) throw new Error(`${path} returned ${status}: ${text}`)
    return created
  }
  await create('/knowledge-bases', { name: 'Care', is_published: true })
  await create('/chatbots', { name: 'Support', status: 'active' })
  const { id: pageId, public_slug: publicSlug } = await create('/pages', PAGE)
  const machine = { type: 'machine', name: 'Press 7', destination: { page: pageId } }
  const { public_slug: objectSlug } = await create('/objects', machine)
  const visit = await fetch(`${origin}/p/${publicSlug}`, { headers: BROWSER })
  const cookie = visit.headers.getSetCookie().map((set) => set.split(';', 1)[0])
  const scanned = await (await fetch(`${origin}/o/${objectSlug}`, { headers: BROWSER })).text()
  const about = /name="_wm_about" value="([^"]+)"/.exec(scanned)?.[1] ?? ''
  const sent = await fetch(`${origin}/p/${publicSlug}`, {
    method: 'POST',
    headers: { ...BROWSER, accept: 'application/json', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ ...ANSWERS, _wm_about: about }),
  })
  const { receipt } = (await sent.json()) as { receipt: string }
  const { data: submissions } = (await client.get('/v1/submissions')).body
  for (const text of ['A new belt is on its way.', 'It is in place. Please try the press again.'])
    await create(`/submissions/${submissions[0].id}/replies`, { text })
  return { ...service, pageId, publicSlug, objectSlug, cookie: cookie.join('; '), receipt }
}

const PAGE = {
  title: 'Report a fault',
  status: 'active',
  // The load is no attack.
  proof_of_work: 'never',
  blocks: [
    { type: 'heading', config: { text: { en: 'Report a fault', de: 'Störung melden' }, level: 1 } },
    { type: 'text', config: { text: 'Machine: **{{object.name|unknown}}**. We look at every report within a day.' } },
    { type: 'form_textarea', config: { label: 'What happened?', name: 'what', required: true } },
    { type: 'form_email', config: { label: 'Your email address', name: 'email' } },
    { type: 'form_rating', config: { label: 'How urgent is it?', name: 'urgency' } },
    { type: 'form_submit', config: { label: 'Send' } },
  ],
}

/** Records the service's response, so that the bare server can send the same one. */
async function recordResponse(scenario: Scenario, stage: Stage, path: string): Promise<BareRoute> {
  const { method, path: servicePath, headers, body } = scenario.request(stage)
  const response = await fetch(`http://127.0.0.1:${stage.port}${servicePath}`, {
    method,
    headers: numbered({ 'accept-encoding': 'identity', ...headers }),
    ...(body && { body }),
  })
  if (response.status !== 200) throw new Error(`${method} ${servicePath} returned ${response.status}`)
  const contentType = response.headers.get('content-type') ?? ''
  const bytes = Number(response.headers.get('content-length'))
  await response.arrayBuffer()
  return { method, path, status: 200, contentType, body: 'x'.repeat(bytes) }
}

const numbered = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('{n}', '0')]))
