import { afterEach, expect, test, vi } from 'vitest'
import { describeBuild } from '../platform/telemetry/build.ts'
import { run } from './program.ts'

afterEach(() => vi.restoreAllMocks())

/** Runs in this process, because none of these tests gets as far as the settings or a database. */
async function waymark(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += text
      return true
    })
  }
  const code = await run(args)
  vi.restoreAllMocks()
  return { code, ...written }
}

async function expectUsageError(...args: string[]): Promise<string> {
  const plain = await waymark(...args)
  expect(plain).toMatchObject({ code: 2, stdout: '' })
  expect(plain.stderr).toContain('Usage: npx waymark')
  const asJson = await waymark(...args, '--json')
  expect(asJson).toMatchObject({ code: 2, stdout: '' })
  const { message } = JSON.parse(asJson.stderr).error
  expect(plain.stderr).toContain(message)
  return message
}

test('every command has help that describes it and lists --json', async () => {
  const groups = ['org', 'key', 'secret', 'articles']
  const commands = ['start', 'migrate', 'org create', 'org set', 'org list', 'key create', 'key list', 'key pause']
  const more = [
    'key resume',
    'key revoke',
    'secret set',
    'secret rotate',
    'secret remove',
    'articles import',
    'articles export',
    'backup',
    'restore',
    'doctor',
  ]
  for (const command of [...groups, ...commands, ...more]) {
    const { code, stdout } = await waymark(...command.split(' '), '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: npx waymark ${command} .*\\n\\n.{20}`))
    expect(stdout).toContain('--json')
  }
  expect((await waymark('--help')).stdout).toContain('DATABASE_URL')
})

test('--version prints the version with the commit', async () => {
  expect((await waymark('--version')).stdout).toBe(`${describeBuild()}\n`)
  expect(describeBuild()).toMatch(/^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?$/)
})

test('a usage error prints the help of the command and exits with 2', async () => {
  expect(await expectUsageError('nonsense')).toContain("unknown command 'nonsense'")
  expect(await expectUsageError('org', 'create', '--slug', 'acme')).toContain('--name')
  expect(await expectUsageError('org', 'set', 'acme', '--rate-per-minute', '0')).toContain('whole number of at least 1')
  expect(await expectUsageError('org', 'set', 'acme', '--storage', '5GB')).toContain('a size such as 10GiB')
  for (const credits of ['-1', '1.5', 'default', '1e3']) {
    expect(await expectUsageError('org', 'set', 'acme', `--credits=${credits}`)).toContain('a whole number from 0')
  }
  expect(await expectUsageError('key', 'pause')).toContain("missing required argument 'id'")
  expect(await expectUsageError('key', 'pause', 'an-id', '--nonsense')).toContain("unknown option '--nonsense'")
  expect(await expectUsageError('start', '--role', 'nonsense')).toContain('all, api, scan, worker')
  expect((await waymark('org')).code).toBe(2)
  expect((await waymark()).code).toBe(2)
})

test.for([
  'tomorrow',
  '2030-01-31',
  '2030-01-31T00:00:00',
  '2030-02-30T00:00:00Z',
  '2030-01-31T25:00:00Z',
  '9999-12-31T23:59:59-01:00',
  '0000-06-01T00:00:00Z',
])('refuses %s as the expiry time of a key', async (time) => {
  expect(await expectUsageError('key', 'create', '--org', 'acme', '--name', 'K', '--expires-at', time)).toContain(
    'a date and time with Z or an offset',
  )
})
