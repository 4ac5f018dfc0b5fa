import { afterEach, expect, test, vi } from 'vitest'
import { run } from './program.ts'

afterEach(() => vi.restoreAllMocks())

/** In this process: none of these comes as far as the settings or a database. */
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

async function misuse(...args: string[]): Promise<string> {
  const plain = await waymark(...args)
  expect(plain).toMatchObject({ code: 2, stdout: '' })
  expect(plain.stderr).toContain('Usage: waymark')
  const asJson = await waymark(...args, '--json')
  expect(asJson).toMatchObject({ code: 2, stdout: '' })
  const { message } = JSON.parse(asJson.stderr).error
  expect(plain.stderr).toContain(message)
  return message
}

test('every command has help, and says how it speaks to programs', async () => {
  const groups = ['org', 'key', 'secret', 'articles']
  const commands = ['start', 'migrate', 'org create', 'org set', 'org list', 'key create', 'key list', 'key pause']
  const more = [
    'key resume',
    'key revoke',
    'secret rotate',
    'articles import',
    'articles export',
    'backup',
    'restore',
    'doctor',
  ]
  for (const command of [...groups, ...commands, ...more]) {
    const { code, stdout } = await waymark(...command.split(' '), '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^Usage: waymark ${command} .*\\n\\n.{20}`))
    expect(stdout).toContain('--json')
  }
  expect((await waymark('--help')).stdout).toContain('DATABASE_URL')
})

test('the version is told', async () => {
  expect((await waymark('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('a wrong use is answered with the help of the command, and exits with 2', async () => {
  expect(await misuse('nonsense')).toContain("unknown command 'nonsense'")
  expect(await misuse('org', 'create', '--slug', 'acme')).toContain('--name')
  expect(await misuse('org', 'set', 'acme', '--rate-per-minute', '0')).toContain('whole number from 1')
  expect(await misuse('key', 'pause')).toContain("missing required argument 'id'")
  expect(await misuse('key', 'pause', 'an-id', '--nonsense')).toContain("unknown option '--nonsense'")
  expect(await misuse('start', '--role', 'nonsense')).toContain('all, api, scan, worker')
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
])('a key cannot expire at %s', async (time) => {
  expect(await misuse('key', 'create', '--org', 'acme', '--name', 'K', '--expires-at', time)).toContain(
    'a date and time with Z or an offset',
  )
})
