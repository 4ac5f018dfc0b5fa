/** The checks of `doctor` that ask servers outside of the process. */
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { INSTALLATION_HEADER } from '../../platform/http/server/health.ts'
import { testConfig, useHarness } from '../../testing/harness.ts'
import { startDnsServer, startNameServer } from '../../testing/world/dns-server.ts'
import { canSelfSign, selfSigned } from '../../testing/world/self-signed.ts'
import { TestSmtpServer } from '../../testing/world/smtp-server.ts'
import type { Config } from '../config.ts'
import { checkAddress } from './addresses.ts'
import { answered } from './check.ts'
import { checkClock } from './clock.ts'
import { checkMail } from './mail.ts'
import { checkNameServers } from './name-servers.ts'
import { isSynchronised } from './synchronisation.ts'

const harness = useHarness({ role: 'api' })
const opened: Server[] = []
afterEach(async () => {
  for (const server of opened.splice(0)) {
    server.close()
    if ('closeAllConnections' in server) (server as { closeAllConnections(): void }).closeAllConnections()
  }
})

async function listening(server: Server): Promise<number> {
  opened.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('a public address', () => {
  const ours = () => harness.service.keyring.installationId
  const serve = async (status: number, headers: Record<string, string> = {}) =>
    `http://127.0.0.1:${await listening(createServer((_request, response) => response.writeHead(status, headers).end()))}`

  test('is answered by this installation', async () => {
    expect(await checkAddress(harness.baseUrl, ours())).toEqual({
      name: `Address ${new URL(harness.baseUrl).host}`,
      ok: true,
      detail: `${harness.baseUrl} is answered by this installation`,
    })
  })

  test('is a failure if another installation or another program answers, or if it redirects', async () => {
    expect(await checkAddress(harness.baseUrl, 'another')).toMatchObject({
      ok: false,
      detail: `${harness.baseUrl} is answered by another installation of Waymark`,
    })
    for (const [url, detail] of [
      [await serve(404), 'responds with 404, and not from Waymark'],
      [await serve(301, { location: 'https://www.acme.com/' }), 'responds with 301 to https://www.acme.com/, and not'],
    ] as const) {
      expect(await checkAddress(url, ours())).toMatchObject({ ok: false, detail: expect.stringContaining(detail) })
    }
  })

  test('is a warning if the service has lost scans, or is not ready', async () => {
    const lost = '3 scans were lost.'
    const server = createServer(({ url }, response) => {
      const readiness = { status: 'unavailable', reason: 'The disk is full.', alarms: [lost] }
      response
        .writeHead(url === '/readyz' ? 503 : 200, { [INSTALLATION_HEADER]: ours() })
        .end(JSON.stringify(readiness))
    })
    expect(await checkAddress(`http://127.0.0.1:${await listening(server)}`, ours())).toMatchObject({
      ok: true,
      detail: expect.stringContaining(`The disk is full. ${lost}`),
      remedy: expect.stringContaining('operations.md'),
    })
  })

  test('is only a warning if nobody answers, because the service may be stopped', async () => {
    const closed = `http://127.0.0.1:${await listening(createTcpServer())}`
    opened.at(-1)?.close()
    expect(await checkAddress(closed, ours())).toMatchObject({
      ok: true,
      detail: `${closed} cannot be reached from here: ECONNREFUSED`,
      remedy: expect.stringContaining(`${closed}/healthz`),
    })
  })

  test.skipIf(!canSelfSign())('is a failure if its certificate is not valid', async () => {
    const url = `https://127.0.0.1:${await listening(createSecureServer(selfSigned()))}`
    expect(await checkAddress(url, ours())).toMatchObject({ ok: false, remedy: expect.stringContaining('certificate') })
  })
})

describe('the mail server', () => {
  test('is connected to without sending a mail, and what fails is reported without the password', async () => {
    const server = await TestSmtpServer.start()
    const { settings } = server
    const { host } = new URL(settings.smtpUrl)
    expect(await checkMail(settings)).toEqual({
      name: 'Mail server',
      ok: true,
      detail: `${host} accepts mails from ${settings.from}`,
    })
    expect([server.received, server.attempts]).toEqual([[], 0])
    await server.close()
    expect(await checkMail({ ...settings, smtpUrl: `smtp://user:wrong-4712@${host}` })).toMatchObject({
      ok: false,
      detail: expect.stringMatching(new RegExp(`^${host} cannot be used: (?!.*wrong-4712)`)),
      remedy: expect.stringContaining('firewall'),
    })
  })

  test('must accept the user and the password', async () => {
    const smtp = new SMTPServer({
      ...(canSelfSign() && selfSigned()),
      allowInsecureAuth: true,
      disabledCommands: ['STARTTLS'],
      closeTimeout: 1,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'acme' }) : done(new Error('Wrong password')),
    })
    smtp.on('error', () => {})
    smtp.listen(0, '127.0.0.1')
    await once(smtp.server, 'listening')
    const { port } = smtp.server.address() as AddressInfo
    const check = (password: string) =>
      checkMail({ smtpUrl: `smtp://acme:${password}@127.0.0.1:${port}`, from: 'no-reply@acme.com' })
    expect(await check('right')).toMatchObject({ ok: true })
    const refused = await check('wrong-4712')
    expect(refused).toMatchObject({ ok: false, remedy: expect.stringContaining('user name and password') })
    expect(JSON.stringify(refused)).not.toContain('wrong-4712')
    await new Promise<void>((resolve) => smtp.close(resolve))
  })
})

test('every name server must answer; a name that does not exist is an answer', async () => {
  const asked: string[] = []
  const good = await startDnsServer((name) => void asked.push(name))
  const bad = await startNameServer(() => 'server_failure')
  const check = (dnsServers: string[], settings: Partial<Config>) => {
    const config = testConfig(harness)
    const outbound = { ...config.outbound, dnsServers }
    return checkNameServers({ ...config, ...settings, outbound })
  }
  const local = { appUrl: 'http://localhost:8080', publicUrl: 'http://localhost:8080' }
  const named = { ...local, publicUrl: 'https://go.acme.example' }
  expect(await check([good.address], named)).toEqual({
    name: 'Name servers',
    ok: true,
    detail: `${good.address} answer`,
  })
  await check([good.address], local)
  const mail = { smtpUrl: 'smtp://mail.acme.example:25', from: 'no-reply@acme.example' }
  await check([good.address], { ...local, publicUrl: 'http://192.0.2.1', mail })
  expect(asked).toEqual(['go.acme.example', 'example.com', 'mail.acme.example'])
  expect(await check([good.address, bad.address], named)).toMatchObject({
    ok: false,
    detail: `no answer from ${bad.address} (ESERVFAIL)`,
    remedy: expect.stringContaining('DNS_SERVERS'),
  })
  await Promise.all([good.close(), bad.close()])
  // Nothing is asked without a name of our own.
  expect(await check([], local)).toEqual({
    name: 'Name servers',
    ok: true,
    detail: expect.stringContaining('not asked'),
  })
})

test('the name servers of the system are asked for a name of the installation', async () => {
  const asked: string[] = []
  const answers = vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(async (name) => {
    asked.push(name)
    throw Object.assign(new Error(), { code: asked.length === 1 ? 'ENOTFOUND' : 'ECONNREFUSED' })
  })
  const config = { ...testConfig(harness), publicUrl: 'https://go.acme.example' }
  const check = () => checkNameServers({ ...config, outbound: { ...config.outbound, dnsServers: [] } })
  expect(await check()).toEqual({
    name: 'Name servers',
    ok: true,
    detail: 'those of the system answer for go.acme.example',
  })
  expect(await check()).toMatchObject({
    ok: true,
    detail: 'no answer from those of the system for go.acme.example (ECONNREFUSED)',
    remedy: expect.stringContaining('resolv.conf'),
  })
  expect(asked).toEqual(['go.acme.example', 'go.acme.example'])
  answers.mockRestore()
})

describe('the clock without a server to compare it with', () => {
  const check = (isSynchronised: boolean | undefined) =>
    checkClock(harness.service.database, testConfig(harness), async () => isSynchronised)

  test('is right if this machine synchronises it, and is a warning otherwise', async () => {
    expect(await check(true)).toEqual({ name: 'Clock', ok: true, detail: 'this machine synchronises it' })
    expect(await check(false)).toMatchObject({ ok: true, remedy: expect.stringContaining('synchronisation') })
    expect(await check(undefined)).toMatchObject({
      ...{ name: 'Clock', ok: true, detail: expect.stringMatching(/^not compared: /) },
      remedy: expect.stringContaining('compare the clock'),
    })
  })

  test.skipIf(process.platform === 'win32')('is as systemd says', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waymark-clock-'))
    const [command, file] = [join(folder, 'timedatectl'), join(folder, 'synchronized')]
    const says = (text: string) => writeFileSync(command, `#!/bin/sh\necho ${text}\n`, { mode: 0o700 })
    expect(await isSynchronised({ command, file })).toBeUndefined()
    says('yes')
    expect(await isSynchronised({ command, file })).toBe(true)
    writeFileSync(file, '')
    says('no')
    expect(await isSynchronised({ command, file })).toBe(false)
    rmSync(command)
    expect(await isSynchronised({ command, file })).toBe(true)
    rmSync(folder, { recursive: true })
  })
})

describe('the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('is compared with that of a server that is configured, and with nothing else', async () => {
    const { database } = harness.service
    const config = testConfig(harness)
    const realMs = Date.now()
    const port = await listening(
      createServer((_request, response) => {
        response.writeHead(403, { date: new Date(realMs).toUTCString() }).end()
      }),
    )
    const [accessKeyId, secretAccessKey] = ['id', 'secret']
    const s3 = { endpoint: `http://127.0.0.1:${port}`, bucket: 'acme', region: 'x', accessKeyId, secretAccessKey }
    const check = (offMs: number) => {
      vi.setSystemTime(realMs + offMs)
      return checkClock(database, { ...config, s3 })
    }
    expect(await check(0)).toMatchObject({
      name: 'Clock',
      ok: true,
      detail: expect.stringContaining('S3 server is right'),
    })
    expect(await check(-20_000)).toMatchObject({ ok: true, remedy: expect.stringContaining('synchronisation') })
    expect(await check(600_000)).toMatchObject({
      ok: false,
      detail: expect.stringContaining('the S3 server is 10 min behind this machine'),
    })
  })
})

test('a question that is never answered ends in time', async () => {
  await expect(answered(new Promise(() => {}), 10)).rejects.toThrow('no answer within 0.01 seconds')
})
