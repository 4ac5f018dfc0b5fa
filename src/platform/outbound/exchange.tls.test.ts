import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createOutboundClient, type OutboundClient } from './client.ts'

/** Creates the certificate. The tests are skipped if it is not installed. */
const OPENSSL = 'openssl'
const GET = { method: 'GET', timeoutMs: 10_000, bodyBytesMax: 1000, whenLarger: 'fail' } as const

/** A key and a self-signed certificate for `localhost`. */
function selfSigned(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'waymark-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(OPENSSL, ['req', ...kind, ...name, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const pair = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
  rmSync(folder, { recursive: true })
  return pair
}

describe.skipIf(spawnSync(OPENSSL, ['version']).status !== 0)(
  'a loopback server with a self-signed certificate',
  () => {
    const trusted = getCACertificates()
    let pair: { key: string; cert: string }
    let server: Server
    let client: OutboundClient
    let requests = 0
    const fetchFrom = (host: string) =>
      client.request(`https://${host}:${(server.address() as AddressInfo).port}/`, GET)

    beforeAll(async () => {
      pair = selfSigned()
      server = createServer(pair, ({ socket }, response) => {
        requests++
        response.end(`${socket.remotePort}`)
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      client = createOutboundClient({ ports: [], devAllow: [`localhost:${port}`, `127.0.0.1:${port}`] })
    })
    afterEach(() => setDefaultCACertificates(trusted))
    afterAll(async () => {
      client.close()
      await once(server.close(), 'close')
    })

    test('gets no request while its certificate is untrusted, even with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
      await expect(fetchFrom('localhost')).rejects.toMatchObject({ kind: 'tls' })
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      await expect(fetchFrom('localhost')).rejects.toMatchObject({ kind: 'tls' })
      vi.unstubAllEnvs()
      expect(requests).toBe(0)
    })

    test('responds over a reused connection once its certificate is trusted', async () => {
      setDefaultCACertificates([pair.cert])
      const first = await fetchFrom('localhost')
      expect(first.status).toBe(200)
      expect((await fetchFrom('localhost')).body).toEqual(first.body)
    })

    test('gets no request under a name that its certificate does not cover', async () => {
      setDefaultCACertificates([pair.cert])
      const before = requests
      await expect(fetchFrom('127.0.0.1')).rejects.toMatchObject({ kind: 'tls' })
      expect(requests).toBe(before)
    })
  },
)
