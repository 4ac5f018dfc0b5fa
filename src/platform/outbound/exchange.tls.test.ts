import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { canSelfSign, selfSigned } from '../../testing/world/self-signed.ts'
import { createOutboundClient, type OutboundClient } from './client.ts'

const GET = { method: 'GET', timeoutMs: 10_000, bodyBytesMax: 1000, whenLarger: 'fail' } as const

describe.skipIf(!canSelfSign())('a loopback server with a self-signed certificate', () => {
  const trusted = getCACertificates()
  let pair: { key: string; cert: string }
  let server: Server
  let client: OutboundClient
  let requests = 0
  const fetchFrom = (host: string) => client.request(`https://${host}:${(server.address() as AddressInfo).port}/`, GET)

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
})
