/** What a start prints, refuses and locks. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../testing/eventually.ts'
import {
  createFirstKey,
  killProcesses,
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

test('the compile cache serves the threads, too', async () => {
  const service = await startServiceProcess({ ...settings, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  service.send('SIGTERM')
  const { stderr } = await service.ended
  expect(stderr).toMatch(/reading cache from .+node_modules.+\/sqlite\/thread\.ts/)
})

describe('the first start', () => {
  test('prints one JSON document with --json, without a key, and needs no compile cache', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    const service = await startServiceProcess({ ...settings, NODE_COMPILE_CACHE: join(file, 'cache') }, ['--json'])
    expect(JSON.parse(service.stdout)).toEqual({ url: service.url, warnings: [expect.stringContaining('PUBLIC_URL')] })
    service.send('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' })
  })

  test.runIf(process.platform === 'linux')('prints a key and a working curl command in a terminal', async () => {
    const output = await startInTerminal({ ...settings, PUBLIC_URL: 'https://go.acme.example' })
    expect(output).toContain('npx waymark org set default --name "Acme" --new-slug acme')
    expect(output).not.toContain('Do not print')
    const [, address, authorization] = CURL.exec(output) ?? []
    const response = await fetch(address!, { headers: { authorization: authorization! } })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ org: { name: 'My organisation', slug: 'default' } })
  })
})

/** Expects that nothing starts, and that one line without a stack trace says why. */
async function expectRefusal(invalid: Settings, reason: string): Promise<void> {
  const { code, stdout, stderr } = await runProcess(['start'], invalid)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^.+\n$/)
  expect(stderr).toContain(reason)
}

describe('refuses to start, with one line that says why', () => {
  /** Starts all of them at the same time, so each needs another data folder. */
  const expectRefusals = (refused: [invalid: Settings, reason: string][]) =>
    Promise.all(
      refused.map(([invalid, reason], n) =>
        expectRefusal({ ...settings, DATA_DIR: join(folder, String(n)), ...invalid }, reason),
      ),
    )

  test('on a port that is in use, in a folder that is not writable, and on an address of another machine', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => blocker.once('listening', resolve))
    const { port } = blocker.address() as { port: number }
    const file = join(folder, 'a file')
    await writeFile(file, '')
    await expectRefusals([
      [
        { PORT: String(port) },
        `Port ${port} is already in use. Stop the process that uses it, or set PORT to another port.\n`,
      ],
      [{ DATA_DIR: join(file, 'data') }, `Cannot write to the folder ${file}/data`],
      [{ HOST: '203.0.113.1' }, 'HOST 203.0.113.1 is not an address of this machine.'],
      [{ HOST: 'nowhere.invalid' }, 'HOST nowhere.invalid is not an address of this machine.'],
    ])
    blocker.close()
  })

  test('with invalid settings, and when the database cannot be reached', () =>
    expectRefusals([
      [{ PORT: '99999' }, 'Invalid setting: PORT '],
      [{ PORT: 'http', LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
      [
        { DATABASE_URL: 'mysql://localhost/waymark' },
        'Invalid setting: DATABASE_URL must start with postgres://. Correct it in the environment or in .env.\n',
      ],
      [{ DATABASE_URL: 'postgres://localhost:1/waymark' }, 'Cannot use the database at DATABASE_URL: '],
      [{ DATABASE_URL: 'postgres://nowhere.invalid/waymark' }, 'Cannot use the database at DATABASE_URL: '],
    ]))

  test('with a SECRET_KEY other than the one that the database was set up with', async () => {
    const service = await startServiceProcess({ ...settings, SECRET_KEY: 'the first secret of all' })
    service.send('SIGTERM')
    await service.ended
    await expectRefusal(settings, 'This database was set up with a SECRET_KEY. Set SECRET_KEY to the same value.\n')
    const another = { ...settings, SECRET_KEY: 'quite another secret' }
    await expectRefusal(another, 'SECRET_KEY is not the one that this database was set up with.')
  })
})

test('runs one service per data folder', async () => {
  const first = await startServiceProcess(settings)
  const { code, stderr } = await runProcess(['start'], { ...settings, PORT: '1' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `Another Waymark process is using ${settings.DATA_DIR}. Stop it, or set DATA_DIR to another folder.\n`,
  })
  // Even a killed process releases the lock.
  first.send('SIGKILL')
  await first.ended
  await startServiceProcess(settings)
})
