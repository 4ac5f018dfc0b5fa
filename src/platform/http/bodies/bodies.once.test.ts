import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { newGif, SAMPLES } from '../../../modules/assets/assets/testing/sample-files.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type Tenant, useHarness } from '../../../testing/harness.ts'
import { RawClient } from '../testing/raw-client.ts'

const MIB = 1024 * 1024
const PATH = '/v1/article-tags'
const WRONG_KEY = 'wm_live_0000000000000000000000000000000000000000'

/** Waits for slow clients as short as possible. */
const harness = useHarness({
  overrides: {
    connectionLimits: { drainMs: 300 },
    bodyLimits: { timeoutMs: 2000 },
    uploadTimes: { stalledMs: 300 },
  },
})

/** Waits for slow clients, and has memory for two of the largest bodies. */
const patient = useHarness({
  config: { metricsPort: 0 },
  overrides: { bodyLimits: { bytesMax: 2.5 * MIB, bytesPerOrganisationMax: 1.5 * MIB, timeoutMs: 60_000 } },
})

/** Sends the head of a request, and none of its body. */
function sendHead(target: string, headers: string[], { service } = harness): RawClient {
  const client = new RawClient(service.port)
  return client.send(`${[`${target} HTTP/1.1`, 'Host: x', ...headers].join('\r\n')}\r\n\r\n`)
}

const DECLARED = ['Content-Type: application/json', `Content-Length: ${MIB}`]
const authorization = ({ apiKey }: Tenant) => `Authorization: Bearer ${apiKey}`

describe('a request whose body is not sent yet', () => {
  test.each([
    ['no key', `POST ${PATH}`, [], 401],
    ['a wrong key', `POST ${PATH}`, [`Authorization: Bearer ${WRONG_KEY}`], 401],
    ['an unknown path in the API', 'POST /v1/nowhere', [], 404],
    ['an unknown path outside the API', 'POST /nowhere', [], 404],
    ['a path of another method', 'POST /healthz', [], 405],
  ])('is answered and disconnected: %s', async (_name, target, headers, status) => {
    const client = sendHead(target, [...DECLARED, ...headers])
    expect(await client.status()).toBe(status)
    await client.closed()
  })

  test.each([
    ['a malformed id', `PATCH ${PATH.replace('tags', 'categories')}/nonsense`, [], 'invalid_id'],
    ['an unknown query parameter', `POST ${PATH}?nonsense=1`, [], 'invalid_query'],
    ['an empty Idempotency-Key', `POST ${PATH}`, ['Idempotency-Key:'], 'invalid_payload'],
    ['an operation without a body', `GET ${PATH}`, [], '"object":"list"'],
  ])('is answered by its headers and URL: %s', async (_name, target, headers, expected) => {
    const acme = await harness.createTenant()
    const client = sendHead(target, [...DECLARED, authorization(acme), ...headers])
    await client.status()
    expect(client.received).toContain(expected)
    await client.closed()
  })

  test('is refused by its declared length before its key is checked', async () => {
    const client = sendHead(`POST ${PATH}`, ['Content-Type: application/json', `Content-Length: ${MIB + 1}`])
    expect(await client.status()).toBe(413)
    await client.closed()
  })

  test('gets 408 if the body does not arrive in time', async () => {
    const acme = await harness.createTenant()
    const client = sendHead(`POST ${PATH}`, [...DECLARED, authorization(acme)]).send('{"name":')
    expect(await client.status()).toBe(408)
    expect(client.received).toContain('"error":"invalid_payload"')
    await client.closed()
    expect((await acme.post(PATH, { name: 'Next' })).status).toBe(201)
  })
})

test('a file that stops arriving gets 408 and is disconnected, and leaves its turn free and no part behind', async () => {
  const acme = await harness.createTenant()
  const headers = ['Content-Type: image/gif', `Content-Length: ${MIB}`, authorization(acme)]
  const beginning = SAMPLES.gif.content.toString('latin1').padEnd(MIB / 2)
  // One organisation may send this many at a time.
  const clients = [1, 2].map(() => sendHead('POST /v1/assets', headers).send(beginning))
  for (const client of clients) {
    expect(await client.status()).toBe(408)
    expect(client.received).toContain('"error":"invalid_payload"')
    await client.closed()
  }
  expect(await readdir(join(harness.folder, 'assets'))).toEqual([])
  expect((await acme.post('/v1/assets', newGif())).status).toBe(201)
})

test('a client that sends the largest body with a wrong key always gets the response', async () => {
  const stranger = patient.client(WRONG_KEY)
  const body = JSON.stringify({ name: 'x'.repeat(MIB - 20) })
  for (let n = 0; n < 20; n++) {
    expect([401, 429]).toContain((await stranger.post(PATH, body)).status)
  }
})

test.each([
  [200, 201],
  [10_001, 400],
])('a body in %s chunks of one byte gets %s', async (length, status) => {
  const acme = await harness.createTenant()
  const json = JSON.stringify({ name: 'Many chunks' }).padEnd(length)
  const chunks = [...json].map((byte) => `1\r\n${byte}\r\n`).join('')
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked', authorization(acme)]
  const client = sendHead(`POST ${PATH}`, headers)
  // Later than the head, so that the body is not complete when it is read.
  await client.opened()
  client.send(chunks)
  // Too many chunks are refused without waiting for the last one.
  if (status === 201) client.send('0\r\n\r\n')
  expect(await client.status()).toBe(status)
  client.socket.destroy()
})

test('reads a chunked body that grows to the limit', async () => {
  const acme = await harness.createTenant()
  const json = JSON.stringify({ name: 'Large' }).padEnd(MIB)
  const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked', authorization(acme)]
  const client = sendHead(`POST ${PATH}`, headers)
  for (let at = 0; at < MIB; at += MIB / 16) client.send(`10000\r\n${json.slice(at, at + MIB / 16)}\r\n`)
  expect(await client.send('0\r\n\r\n').status()).toBe(201)
  client.socket.destroy()
})

test('reads all of a body that has arrived before its turn', async () => {
  for (let n = 0; n < 5; n++) {
    // With a new key, authentication takes longer than the body.
    const acme = await harness.createTenant()
    const name = String(n).repeat(50)
    const body = `${JSON.stringify({ name }).slice(0, -1)}${' '.repeat(300_000)}}`
    const { status, body: tag } = await acme.post(PATH, body)
    expect({ status, name: tag.name }).toEqual({ status: 201, name })
  }
})

describe('a budget for bodies', () => {
  const half = JSON.stringify({ name: 'Chair' }).padEnd(MIB / 2)
  const largest = half.padEnd(MIB)

  /** Sends all of a body but its last byte. */
  const stall = (tenant: Tenant, body: string) =>
    sendHead(
      `POST ${PATH}`,
      ['Content-Type: application/json', `Content-Length: ${body.length}`, authorization(tenant)],
      patient,
    ).send(body.slice(0, -1))

  /** A client that stalls holds bytes from when it is authenticated. */
  const bytesHeld = (bytes: number) => metricIs('budget_used_bytes{budget="body_bytes"}', bytes)

  const metricIs = (name: string, value: number) =>
    eventually(async () => {
      const metrics = await (await fetch(`http://127.0.0.1:${patient.service.metricsPort}/metrics`)).text()
      return metrics.includes(`waymark_${name} ${value}\n`)
    })

  test('large bodies of one organisation wait for each other, and not for those of others', async () => {
    const [acme, other] = [await patient.createTenant(), await patient.createTenant()]
    const stalled = [stall(acme, half), stall(acme, half)]
    await bytesHeld(MIB)
    expect((await other.post(PATH, half)).status).toBe(201)
    expect((await acme.post(PATH, { name: 'Small' })).status).toBe(201)
    const waiting = acme.post(PATH, half.replace('Chair', 'Table'))
    await metricIs('queue_waiting{queue="large_bodies"}', 1)
    stalled[0]?.send(' ')
    expect((await waiting).status).toBe(201)
    stalled[1]?.socket.destroy()
    await bytesHeld(0)
  })

  test('limits the share of one organisation, and is free again when its client leaves', async () => {
    const [acme, other] = [await patient.createTenant(), await patient.createTenant()]
    const stalled = stall(acme, largest)
    await bytesHeld(MIB)
    const refused = await acme.post(PATH, largest)
    expect(refused.status).toBe(503)
    expect(refused.body.error).toBe('service_unavailable')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await other.post(PATH, largest)).status).toBe(201)
    expect((await acme.post(PATH, { name: 'Small' })).status).toBe(201)
    stalled.socket.destroy()
    await eventually(async () => (await acme.post(PATH, largest)).status !== 503)
  })

  test('limits all organisations together', async () => {
    const stalled = [stall(await patient.createTenant(), largest), stall(await patient.createTenant(), largest)]
    const acme = await patient.createTenant()
    await bytesHeld(2 * MIB)
    expect((await acme.post(PATH, largest)).status).toBe(503)
    for (const { socket } of stalled) socket.destroy()
    await eventually(async () => (await acme.post(PATH, largest)).status !== 503)
  })
})
