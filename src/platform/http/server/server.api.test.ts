import { connect } from 'node:net'
import { describe, expect, inject, test } from 'vitest'
import { setReachable } from '../../../testing/engines/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { useHarness } from '../../../testing/harness.ts'
import { closeGate, isCommitWaiting, newCommitGate, openGate } from '../../db/sqlite/commit-gate.ts'
import { thisBuild } from '../../telemetry/build.ts'

const harness = useHarness({ config: { metricsPort: 0 } })

/** Sends raw bytes, for requests that no HTTP client would send. */
function exchange(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(harness.service.port, '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', reject)
  })
}

test.each([
  ['a request that is not HTTP', 'nonsense\r\n\r\n', '400'],
  ['a header without a name', 'GET /v1/me HTTP/1.1\r\n: x\r\n\r\n', '400'],
  ['a header that is too long', `GET /v1/me HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, '431'],
])('%s gets the error envelope', async (_name, bytes, status) => {
  const response = await exchange(bytes)
  expect(response.split(' ')[1]).toBe(status)
  const id = /X-Request-Id: (req_\w{16})/i.exec(response)?.[1]
  const body = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))
  expect(body).toEqual({ error: 'invalid_payload', message: expect.any(String), request_id: id })
})

test('ignores a request whose body is cut off', async () => {
  const acme = await harness.createTenant()
  const socket = connect(harness.service.port, '127.0.0.1')
  socket.write(
    `POST /v1/article-tags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.apiKey}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name":"Half',
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.destroy()
  expect((await acme.get('/v1/article-tags')).body.total).toBe(0)
})

test('returns 413 for a chunked body over the limit', async () => {
  const acme = await harness.createTenant()
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const response = await exchange(
    `POST /v1/article-tags HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.apiKey}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(17)}0\r\n\r\n`,
  )
  expect(response.split(' ')[1]).toBe('413')
  expect(response).toContain('"error":"invalid_payload"')
})

test('health and readiness need no credential', async () => {
  const client = harness.client()
  expect((await client.get('/healthz')).body).toEqual({ status: 'ok', ...thisBuild() })
  expect((await client.get('/readyz')).body).toEqual({ status: 'ready' })
})

if (inject('engine') === 'sqlite') {
  describe('on a disk that syncs slowly', () => {
    const commitGate = newCommitGate()
    const slow = useHarness({ overrides: { commitGate } })

    test('a write waits for the disk while other requests are served', async () => {
      const acme = await slow.createTenant()
      closeGate(commitGate)
      let committed = false
      const write = acme.post('/v1/article-tags', { name: 'Slow' }).then((reply) => {
        committed = true
        return reply
      })
      await eventually(() => isCommitWaiting(commitGate))
      for (let served = 0; served <= 10; served++) expect((await acme.get('/v1/me')).status).toBe(200)
      expect(committed).toBe(false)
      openGate(commitGate)
      expect((await write).status).toBe(201)
    })
  })
}

if (inject('engine') === 'postgres') {
  test('returns 503 while the database is down and recovers afterwards', async () => {
    const acme = await harness.createTenant()
    expect((await acme.get('/v1/me')).status).toBe(200)
    await setReachable(harness.location, false)
    const refused = await acme.get('/v1/me')
    expect(refused.body).toMatchObject({ error: 'service_unavailable' })
    expect(refused.status).toBe(503)
    expect((await harness.client().get('/readyz')).status).toBe(503)
    expect((await harness.client().get('/healthz')).status).toBe(200)
    await setReachable(harness.location, true)
    await eventually(async () => (await acme.get('/v1/me')).status === 200)
  })
}
