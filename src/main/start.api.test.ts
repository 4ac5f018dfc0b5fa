import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase } from '../platform/db/open.ts'
import { thisBuild } from '../platform/telemetry/build.ts'
import { createDatabase, type TestDatabase } from '../testing/engines/database.ts'
import { freePort } from '../testing/engines/postgres.ts'
import { eventually } from '../testing/eventually.ts'
import {
  killProcesses,
  launch,
  runCommand,
  type ServiceProcess,
  type Settings,
  settingsFor,
  startServiceProcess,
} from '../testing/process.ts'

let folder: string
let database: TestDatabase
let settings: Settings

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-start-'))
  database = await createDatabase()
  // For SQLite not even the folder exists, as on the very first `npm start`.
  settings = database.engine === 'sqlite' ? { DATA_DIR: join(folder, 'new', 'data') } : settingsFor(database)
})

afterEach(async () => {
  await killProcesses()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('prints only lines of JSON into what may be a log, no key, on later starts only the URL, and ends properly on Ctrl-C', async () => {
  const first = await startServiceProcess({ ...settings, LOG_LEVEL: 'trace' })
  const { next_steps: steps, ...ready } = readyLine(first)
  expect(ready).toMatchObject({ level: 'info', msg: 'Waymark is ready', url: first.url })
  expect(first.stdout).not.toContain('wm_live_')
  const runAdvised = (pattern: RegExp) => {
    const [, args] = steps.map((step: string) => pattern.exec(step)).find((found: unknown) => found !== null)
    const quoted = args.split(/ (?=(?:[^"]*"[^"]*")*[^"]*$)/).map((arg: string) => arg.replaceAll('"', ''))
    return runCommand([...quoted, '--json'], settings)
  }
  const created = await runAdvised(/Create an API key with: npx waymark (key create .+)$/)
  expect(created).toMatchObject({
    code: 0,
    json: { name: 'First key', api_key: expect.stringMatching(/^wm_live_/) },
  })
  const authorization = `Bearer ${created.json.api_key}`
  const response = await fetch(`${first.url}/v1/me`, { headers: { authorization } })
  expect(await response.json()).toMatchObject({ org: { name: 'My organisation', slug: 'default' } })
  expect(await runAdvised(/Name your organisation with: npx waymark (org set .+)$/)).toMatchObject({
    code: 0,
    json: { name: 'Acme', slug: 'acme' },
  })
  first.send('SIGTERM')
  expect(await first.ended).toMatchObject({ code: 0, stderr: '' })

  const second = await startServiceProcess(settings)
  const warning = `Do not print codes yet: they lead to ${second.url}, which works only on this machine. Set PUBLIC_URL first.`
  expect(second.stdout.trimEnd().split('\n')).toHaveLength(1)
  const owner = 'npx waymark user create --org acme --email you@example.com --role owner'
  const missing = `No organisation has an owner yet. Create the first one with: ${owner}`
  expect(readyLine(second)).toEqual({
    ...{ level: 'info', time: expect.any(String), url: second.url, warnings: [missing, warning] },
    msg: 'Waymark is ready',
  })
  const again = await fetch(`${second.url}/v1/me`, { headers: { authorization } })
  expect(again.status).toBe(200)
  await expectCtrlCToCompleteRequests(second, authorization)
})

/** Standard output without a terminal is the log: every line of it is JSON. Returns the one that says that it is ready. */
const readyLine = ({ stdout }: ServiceProcess): any =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ msg }) => msg === 'Waymark is ready')

/** Expects that a request in flight is completed, and that the service then exits with 0. */
async function expectCtrlCToCompleteRequests(service: ServiceProcess, authorization: string): Promise<void> {
  const body = JSON.stringify({ name: 'Under way' })
  const headers = { authorization, 'content-type': 'application/json', 'content-length': body.length }
  const post = request(`${service.url}/v1/article-tags`, {
    method: 'POST',
    headers: { ...headers, expect: '100-continue' },
  })
  const responded = new Promise<number | undefined>((resolve, reject) => {
    post.once('error', reject).once('response', (response) => resolve(response.resume().statusCode))
  })
  // After "continue", the service has accepted the request and waits for its body.
  await new Promise((resolve) => post.once('continue', resolve).flushHeaders())
  post.write(body.slice(0, 5))
  // Twice, because the terminal sends it and npm forwards it.
  service.send('SIGINT')
  service.send('SIGINT')
  await expect(refusesConnections(service.url)).resolves.toBe(true)
  post.end(body.slice(5))
  expect(await responded).toBe(201)
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
}

async function refusesConnections(url: string): Promise<boolean> {
  for (;;) {
    const refused = await fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )
    if (refused) return true
  }
}

test('uses SECRET_KEY only once it serves, so that a start that fails binds the database to nothing', async () => {
  const SECRET_KEY = 'only to try it out'
  const first = await startServiceProcess(settings)
  const blocked = { ...settings, SECRET_KEY, PORT: new URL(first.url).port }
  if (database.engine === 'sqlite') {
    first.send('SIGTERM')
    await first.ended
  }
  const blocker = createServer()
  if (database.engine === 'sqlite')
    await new Promise((resolve) => blocker.listen(Number(blocked.PORT), '127.0.0.1', () => resolve(0)))
  const { code, stderr } = await runCommand(['start'], { LOG_LEVEL: 'silent', ...blocked })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('is already in use') })
  blocker.close()
  const doctor = async (keys: Settings = {}) =>
    (await runCommand(['doctor', '--json'], { ...settings, ...keys })).json.checks.find(
      ({ name }: { name: string }) => name === 'SECRET_KEY',
    )
  expect(await doctor()).toMatchObject({ ok: true })
  expect((await doctor({ SECRET_KEY })).detail).toContain('not encrypted with it yet')
  first.send('SIGTERM')
  await first.ended

  const serving = await startServiceProcess({ ...settings, SECRET_KEY, LOG_LEVEL: 'info' })
  await eventually(() => serving.stdout.includes('are now encrypted with SECRET_KEY'))
  expect(serving.stdout).toContain(`"version":"${thisBuild().version}"`)
  expect(await doctor({ SECRET_KEY })).toMatchObject({ ok: true, detail: 'matches the stored secrets' })
  expect(await doctor()).toMatchObject({ ok: false })
})

test.runIf(inject('engine') === 'postgres')(
  'of two instances that start at the same time with different values of SECRET_KEY, one serves and one says why not',
  async () => {
    await runCommand(['migrate'], settings)
    const keys = ['one long enough secret', 'quite another secret']
    const ended = await Promise.all(
      keys.map(async (SECRET_KEY) => {
        const port = String(await freePort())
        const { output, ended, child } = launch(['start'], { LOG_LEVEL: 'silent', ...settings, PORT: port, SECRET_KEY })
        const isReady = eventually(() => output.stdout.includes('is ready'))
        const failed = await Promise.race([ended, isReady.then(() => undefined)])
        return { SECRET_KEY, child, failed }
      }),
    )
    const [refused, ...others] = ended.filter(({ failed }) => failed !== undefined)
    expect(others).toEqual([])
    expect(refused?.failed).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRET_KEY is not the one') })
    const { SECRET_KEY } = ended.find(({ failed }) => failed === undefined)!
    const { json } = await runCommand(['doctor', '--json'], { ...settings, SECRET_KEY })
    expect(json.checks.find(({ name }: { name: string }) => name === 'SECRET_KEY').detail).toBe(
      'matches the stored secrets',
    )
  },
)

test.runIf(inject('engine') === 'postgres')(
  'instances that start at the same time on an empty database set it up once, and all of them serve',
  async () => {
    const opened = await openDatabase(database.location)
    await sql`drop schema public cascade`.execute(opened.kysely)
    await sql`create schema public`.execute(opened.kysely)
    await opened.close()
    const services = await Promise.all([1, 2].map(() => startServiceProcess(settings)))
    expect(services.filter(({ stdout }) => stdout.includes('Create an API key'))).toHaveLength(1)
    for (const { url } of services) expect((await fetch(`${url}/healthz`)).status).toBe(200)
  },
)
