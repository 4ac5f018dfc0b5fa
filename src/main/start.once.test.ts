/** What a start prints, refuses and locks. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import {
  createFirstKey,
  killProcesses,
  runCommand,
  runProcess,
  type Settings,
  startInTerminal,
  startServiceProcess,
} from '../testing/process.ts'

const CURL = /^ {4}curl (\S+) -H "Authorization: (Bearer \S+)"\r?$/m

let folder: string
let settings: Settings

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-start-'))
  settings = { DATA_DIR: join(folder, 'data') }
})

afterEach(async () => {
  await killProcesses()
  await rm(folder, { recursive: true, force: true })
})

test('after SIGTERM, serves requests for DRAIN_SECONDS, while health checks tell a proxy to use other instances', async () => {
  const service = await startServiceProcess({ ...settings, DRAIN_SECONDS: '60' })
  const authorization = `Bearer ${await createFirstKey(settings)}`
  service.send('SIGTERM')
  const get = (path: string) => fetch(`${service.url}${path}`, { headers: { authorization } })
  await eventually(async () => (await get('/healthz')).status === 503)
  const ready = await get('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'unavailable', reason: 'The service is stopping.' },
  ])
  for (const [path, status] of Object.entries({ '/v1/me': 200, '/account/sign-in': 200, '/unknown': 404 })) {
    const response = await get(path)
    expect([path, response.status, response.headers.get('connection')]).toEqual([path, status, 'close'])
  }
})

test('runs one service per data folder. One that is killed leaves it, and a compile cache', async () => {
  const cache = join(folder, 'cache')
  await mkdir(cache)
  const killed = await startServiceProcess({ ...settings, NODE_COMPILE_CACHE: cache }, ['--json'])
  expect(JSON.parse(killed.stdout)).toEqual({ url: killed.url, warnings: [expect.stringContaining('PUBLIC_URL')] })
  const { code, stderr } = await runCommand(['start'], { ...settings, PORT: '1' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Another Waymark process is using ${settings.DATA_DIR}. Stop it, or set DATA_DIR to another folder.\n`,
  })
  await eventually(async () => (await readdir(cache, { recursive: true })).length > 1000)
  killed.send('SIGKILL')
  await killed.ended
  const next = await startServiceProcess({ ...settings, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  next.send('SIGTERM')
  expect(await next.ended).toMatchObject({
    code: 0,
    // The threads use it, too.
    stderr: expect.stringMatching(/reading cache from .+node_modules.+\/sqlite\/thread\.ts/),
  })
})

test('a process needs no compile cache', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const ended = await runProcess(['migrate'], { ...settings, NODE_COMPILE_CACHE: join(file, 'cache') })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
})

test.runIf(process.platform === 'linux')(
  'the first start prints a key and a working curl command in a terminal',
  async () => {
    const output = await startInTerminal({ ...settings, PUBLIC_URL: 'https://go.acme.example' })
    expect(output).toContain('npx waymark org set default --name "Acme" --new-slug acme')
    expect(output).not.toContain('Do not print')
    const [, address, authorization] = CURL.exec(output) ?? []
    const response = await fetch(address!, { headers: { authorization: authorization! } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ org: { name: 'My organisation', slug: 'default' } })
  },
)

describe('refuses to start, with one line that says why', () => {
  /** Expects that nothing starts, and that there is no stack trace. In this process, which it must leave as it was. */
  async function expectRefusal(invalid: Settings, reason: string): Promise<void> {
    const { code, stdout, stderr } = await runCommand(['start'], { LOG_LEVEL: 'silent', ...settings, ...invalid })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^.+\n$/)
    expect(stderr).toContain(reason)
  }

  test('on a port that is in use, in a folder that is not writable, and on an address of another machine', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    const file = join(folder, 'a file')
    await writeFile(file, '')
    await expectRefusal({ DATA_DIR: join(file, 'data') }, `Cannot write to the folder ${file}/data`)
    await expectRefusal(
      { PORT: String(port) },
      `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.\n`,
    )
    for (const host of ['203.0.113.1', 'nowhere.invalid'])
      await expectRefusal({ HOST: host }, `HOST ${host} is not an address of this machine.`)
    blocker.close()
  })

  test('with invalid settings, and when the database cannot be reached', async () => {
    const invalid: [Settings, string][] = [
      [{ PORT: '99999' }, 'Invalid setting: PORT '],
      [{ PORT: 'http', LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
    ]
    for (const [wrong, reason] of invalid) await expectRefusal(wrong, reason)
    await expectRefusal(
      { DATABASE_URL: 'mysql://localhost/waymark' },
      'Invalid setting: DATABASE_URL must start with postgres://. Correct it in the environment or in ',
    )
    await expectRefusal(
      { DATABASE_URL: 'postgres://nowhere.invalid/waymark' },
      'Cannot use the database at DATABASE_URL: ',
    )
  })

  test('with a SECRET_KEY other than the one that the database was set up with', async () => {
    const service = await startServiceProcess({ ...settings, SECRET_KEY: 'the first secret of all' })
    service.send('SIGTERM')
    await service.ended
    await expectRefusal(
      {},
      'This database is used with a SECRET_KEY, and none is set. Set SECRET_KEY to the same value.\n',
    )
    const another = { SECRET_KEY: 'quite another secret' }
    await expectRefusal(another, 'SECRET_KEY is not the one that this database is used with.')
  })
})
