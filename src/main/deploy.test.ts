/** The files with which people deploy Waymark fit its settings, and each other. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SECOND_MS } from '../platform/clock/index.ts'
import { UNUSABLE_EXIT_CODE } from '../platform/errors/operator-error.ts'
import { findCaddy, NO_CADDY, validateCaddyfile } from '../testing/world/caddy.ts'
import { type Config, readConfig } from './config.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'waymark-deploy-'))
afterAll(() => rmSync(folder, { recursive: true }))

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const caddyfile = read('deploy/Caddyfile')
const dockerfile = read('Dockerfile').replaceAll('\\\n', '')
const unit = read('deploy/waymark.service')
const guide = read('docs/deploy.md')

/** How long `exitIfStuck` waits, and a second to spare. */
const COMPLETING_MS = 10 * SECOND_MS
/** The timer includes stored files, and keeps as many backups as the guide says. */
const BACKUP_OPTIONS = '--with-assets --keep 14'
/** What a person must write into the file `.env` of the containers. */
const GIVEN: Record<string, string> = {
  HOSTS: 'go.example.com',
  APP_URL: 'https://go.example.com',
  POSTGRES_PASSWORD: '0123abcd',
  SECRET_KEY: '0123456789abcdef',
}

/** Rejects names that are no settings, which the environment would hide. */
function readSettings(settings: string): Config {
  const file = join(folder, '.env')
  writeFileSync(file, settings)
  return readConfig({}, file)
}
const toLines = (values: Record<string, unknown>) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
const instruction = (name: string) => [...dockerfile.matchAll(new RegExp(`^${name} (.+)$`, 'gm'))].map(([, it]) => it!)
const imageSettings: Record<string, string> = Object.fromEntries(
  instruction('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
)
const optionOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]
const defaultOf = (name: string) => new RegExp(`\\{\\$${name}:([^}]*)\\}`).exec(caddyfile)?.[1]
/** The text that the guide writes to a file. Commands in it make secrets. */
const writtenTo = (file: string) =>
  (guide.split(`cat > ${file} <<EOF\n`)[1]?.split('\nEOF')[0] ?? '').replaceAll(/\$\([^)]*\)/g, '0123456789abcdef')
const secondsOf = (duration: string | undefined) => Number(/^(\d+)s?$/.exec(duration ?? '')?.[1])

describe('the Caddyfile', () => {
  test('is valid', async ({ skip }) => {
    const { code, output } = await validateCaddyfile((await findCaddy()) ?? skip(NO_CADDY))
    expect(output).toContain('Valid configuration')
    expect(code).toBe(0)
  })

  test('sends requests to the port of the service, and keeps connections for less time than the service', () => {
    const { port, host } = readConfig({}, join(folder, 'none'))
    expect(defaultOf('UPSTREAMS')).toBe(`${host}:${port}`)
    expect(caddyfile).toContain('health_uri /healthz')
    const keptMs = secondsOf(/keepalive (\S+)/.exec(caddyfile)?.[1]) * SECOND_MS
    expect(keptMs).toBeLessThan(createServer().keepAliveTimeout)
  })
})

describe('the image', () => {
  const config = readSettings(toLines(imageSettings))

  test('serves all interfaces, as a user without rights', () => {
    expect(config.host).toBe('0.0.0.0')
    expect(instruction('EXPOSE')).toEqual([String(config.port)])
    expect(instruction('VOLUME')).toEqual([config.dataDir])
    expect(dockerfile).toContain(`install -d -o waymark -g waymark -m 0700 ${config.dataDir}`)
    expect(dockerfile).toContain('useradd --uid 1000 ')
    expect(instruction('USER').at(-1)).toBe('1000:1000')
    expect(dockerfile).toContain('/healthz')
  })

  test('contains what it starts', () => {
    const copied = instruction('COPY').filter((line) => !line.startsWith('--from'))
    for (const path of copied.flatMap((line) => line.split(' ').slice(0, -1))) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(read('.dockerignore'), path).toContain(`!${path}\n`)
    }
    // What is read from disk at run time, and not only imported.
    expect(copied).toEqual(expect.arrayContaining(['locales locales', 'migrations migrations']))
    const programs = JSON.parse(instruction('ENTRYPOINT')[0]!) as string[]
    for (const path of programs) expect(existsSync(path.replace('/app', ROOT)), path).toBe(true)
  })
})

describe('the containers', () => {
  const text = read('deploy/compose.yaml').replaceAll(
    /\$\{(\w+)(?::?[-?]([^}]*))?\}/g,
    (_, name, or) => GIVEN[name] ?? or,
  )
  const { services, networks, volumes } = parse(text, { merge: true })

  test.each(['waymark-1', 'waymark-2'])('%s has valid settings, and trusts Caddy', (name) => {
    const instance = services[name]
    const config = readSettings(toLines({ ...imageSettings, ...instance.environment }))
    expect(instance).toMatchObject({ read_only: true, cap_drop: ['ALL'], env_file: '.env' })
    expect(instance.volumes).toContain(`data:${config.dataDir}`)
    expect(config.trustProxy).toBe(services.caddy.networks.default.ipv4_address)
    expect(services.caddy.environment.UPSTREAMS.split(' ')).toContain(`${name}:${config.port}`)
    const { hostname, username, password, pathname } = new URL((config.database as { url: string }).url)
    expect(services[hostname].environment).toEqual({
      POSTGRES_USER: username,
      POSTGRES_PASSWORD: password,
      POSTGRES_DB: pathname.slice(1),
    })
    expect(config.drainMs).toBeGreaterThan(0)
    const graceMs = secondsOf(instance.stop_grace_period) * SECOND_MS
    expect(graceMs).toBeGreaterThanOrEqual(config.drainMs + COMPLETING_MS)
  })

  test('a backup is made every night with the same settings, and old ones are deleted', () => {
    const { backup } = services
    const { image, environment, volumes: mounts } = services['waymark-1']
    expect(backup).toMatchObject({ image, environment, volumes: mounts, env_file: '.env', read_only: true, init: true })
    const script: string = backup.command[0]
    expect(script).toContain(`${(JSON.parse(instruction('ENTRYPOINT')[0]!) as string[]).join(' ')} backup /backups`)
    expect(mounts).toContain('./backups:/backups')
    expect(script).toContain(BACKUP_OPTIONS)
    // What the shell computes: the seconds until the next 3:00 UTC.
    const now = '$$(date +%s)'
    const [, formula = ''] = /sleep \$\$\(\((.+)\)\);/.exec(script) ?? []
    const wait = (time: string) =>
      spawnSync('sh', ['-c', `echo $((${formula.replace(now, String(Date.parse(time) / SECOND_MS))}))`], {
        encoding: 'utf8',
      })
    expect(wait('2026-11-18T02:59:00Z').stdout).toBe('60\n')
    expect(wait('2026-11-18T03:00:00Z').stdout).toBe('86400\n')
    expect(wait('2026-11-18T23:00:00Z').stdout).toBe('14400\n')
  })

  test('Caddy has our Caddyfile and keeps its certificates', () => {
    const [{ subnet, ip_range }] = networks.default.ipam.config
    expect([subnet, ip_range]).toEqual(['172.30.80.0/24', '172.30.80.128/25'])
    expect(services.caddy.volumes).toEqual(['./Caddyfile:/etc/caddy/Caddyfile:ro', 'caddy:/data'])
    expect(services.caddy.ports).toEqual(['80:80', '443:443', '443:443/udp'])
    expect(Object.keys(volumes)).toEqual(['data', 'postgres', 'caddy'])
    for (const name of Object.keys(services.caddy.environment)) expect(caddyfile).toContain(`{$${name}:`)
  })
})

describe('the unit', () => {
  test('does not start the service again when that would not help, and waits longer and longer before it does', () => {
    expect(optionOf('RestartPreventExitStatus')).toBe(String(UNUSABLE_EXIT_CODE))
    expect([optionOf('RestartSteps'), optionOf('RestartMaxDelaySec')]).toEqual(['6', '60'])
  })

  test('starts the service as a user without rights, in the folder with its settings', () => {
    expect(optionOf('User')).toBe('waymark')
    const directory = optionOf('WorkingDirectory')
    const [program, script, command] = optionOf('ExecStart')!.split(' ')
    expect(existsSync(join(ROOT, program!.replace(`${directory}/`, ''))), program).toBe(true)
    expect(existsSync(join(ROOT, script!)), script).toBe(true)
    expect(command).toBe('start')
    expect(optionOf('ProtectSystem')).toBe('strict')
    expect(optionOf('Environment')).toBe(`NODE_COMPILE_CACHE=/var/cache/${optionOf('CacheDirectory')}`)
  })

  test('fits the settings of the guide', () => {
    const config = readSettings(writtenTo('/opt/waymark/.env'))
    expect(config.dataDir).toBe(`/var/lib/${optionOf('StateDirectory')}`)
    expect(config.trustProxy).toBe('127.0.0.1')
    expect(defaultOf('UPSTREAMS')).toBe(`${config.host}:${config.port}`)
    const stopMs = secondsOf(optionOf('TimeoutStopSec')) * SECOND_MS
    expect(stopMs).toBeGreaterThanOrEqual(config.drainMs + COMPLETING_MS)
  })
})

test('the unit for backups runs like the service, and has a folder of its own', () => {
  const backup = read('deploy/waymark-backup.service')
  const backupOption = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(backup)?.[1]
  for (const name of [
    'User',
    'Group',
    'WorkingDirectory',
    'Environment',
    'UMask',
    'ProtectSystem',
    'SystemCallFilter',
  ]) {
    expect(backupOption(name)).toBe(optionOf(name))
  }
  const [program] = optionOf('ExecStart')!.split(' src/')
  expect(backupOption('ExecStart')).toBe(
    `${program} src/main/cli.mjs backup /var/lib/waymark-backups ${BACKUP_OPTIONS}`,
  )
  expect(backupOption('StateDirectory')).toBe(`${optionOf('StateDirectory')} waymark-backups`)
  expect(read('deploy/waymark-backup.timer')).toMatch(/^OnCalendar=\*-\*-\* 03:00:00\n/m)
})

test('the guide gives the containers all that they need', () => {
  const lines = writtenTo('.env').split('\n')
  const names = lines.map((line) => line.split('=')[0]!)
  expect(names).toEqual(expect.arrayContaining(Object.keys(GIVEN)))
  // The others are for Caddy and PostgreSQL.
  readSettings(lines.filter((line) => !/^(HOSTS|POSTGRES_PASSWORD)=/.test(line)).join('\n'))
})
