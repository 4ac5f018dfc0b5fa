import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../telemetry/logging.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { RawClient } from '../testing/raw-client.ts'
import type { RequestHandler } from './request-handler.ts'
import { createServer } from './server.ts'

const metrics = createMetrics()
const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics })
/** The hosts of the requests that anything saw. */
const seen: (string | undefined)[] = []

beforeAll(async () => {
  const everything: RequestHandler = {
    tryHandle: ({ headers }, response) => {
      seen.push(headers.host)
      response.writeHead(200, { connection: 'close' }).end()
      return true
    },
    methodsOf: () => [],
  }
  const unhandled = { notFound: () => {}, methodNotAllowed: () => {} }
  server.mountPublic({ unlimited: [everything], limited: [], unhandled })
  await server.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

/** Sends these lines as the head of a request. */
async function send(...head: string[]): Promise<string> {
  const client = new RawClient((server.server.address() as { port: number }).port)
  await client.send(`${head.join('\r\n')}\r\n\r\n`).closed()
  return client.received
}

test.each([
  'acme.com',
  'acme.com:8080',
  'ACME.com.',
  'acme.com:',
  'my_service',
  '192.0.2.1',
  '[2001:db8::1]:443',
  'xn--mbel-5qa.de',
  `${'a'.repeat(253)}:65535`,
])('serves the host %s', async (host) => {
  expect(await send('GET / HTTP/1.1', `Host: ${host}`)).toContain('HTTP/1.1 200')
  expect(seen.at(-1)).toBe(host)
})

test('serves a request of HTTP/1.0 without a host', async () => {
  expect(await send('GET / HTTP/1.0')).toContain('HTTP/1.1 200')
})

test.each([
  ['too long', [`Host: ${'a'.repeat(254)}`]],
  ['15 KB long', [`Host: ${'a'.repeat(15_000)}`]],
  ['empty', ['Host:']],
  ['missing', []],
  ['doubled', ['Host: acme.com', 'Host: other.com']],
  ['doubled with the same name', ['Host: acme.com', 'X-Other: 1', 'hOST: acme.com']],
  ['with a space', ['Host: acme.com other.com']],
  ['with a path', ['Host: acme.com/x']],
  ['with credentials', ['Host: user@acme.com']],
  ['with a letter as port', ['Host: acme.com:x']],
  ['not ASCII', ['Host: möbel.de']],
  ['a list', ['Host: acme.com, other.com']],
])('returns 400 for a host that is %s, before anything sees the request', async (_name, lines) => {
  const before = { seen: seen.length, refused: await countRefused() }
  const response = await send('GET / HTTP/1.1', ...lines)
  expect(response).toContain('HTTP/1.1 400 Bad Request')
  const id = /x-request-id: (req_\w{16})/i.exec(response)?.[1]
  const body = JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))
  expect(body).toEqual({ error: 'invalid_payload', message: expect.stringContaining('Host'), request_id: id })
  expect(seen.length).toBe(before.seen)
  expect(await countRefused()).toBe(before.refused + 1)
})

async function countRefused(): Promise<number> {
  const { values } = await metrics.refused.get()
  return values.find(({ labels }) => labels.limit === 'host')?.value ?? 0
}
