import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { createLogger } from '../../telemetry/logging.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { RawClient } from '../testing/raw-client.ts'
import type { ConnectionLimits } from './connections.ts'
import type { PublicSide } from './request-handler.ts'
import { createServer, type Server } from './server.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Larger than the buffers of the operating system, so that most of it waits for the client. */
const LARGE_BYTES = 12 * 1024 * 1024
const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
const SCAN = 'GET /scan HTTP/1.1\r\nHost: x\r\n\r\n'

/** A server with routes that respond at once, when `release` is called, or with a large text. */
async function start(limits: Partial<ConnectionLimits>, trustProxy: boolean | string = false) {
  const metrics = createMetrics()
  const server = createServer({ trustProxy, limits }, { log: createLogger('silent'), metrics })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  server.get('/healthz', async () => 'ok')
  server.route({ method: ['GET', 'POST'], url: '/quick', handler: async () => 'ok' })
  let inProgress = 0
  server.get('/held', async () => {
    inProgress++
    await released
    return 'ok'
  })
  server.get('/large', async () => 'x'.repeat(LARGE_BYTES))
  server.get('/stream', async () => Readable.from(pieces(), { objectMode: false }))
  let scans = 0
  server.mountPublic(scansAt('/scan', () => scans++))
  await server.listen({ host: '127.0.0.1', port: 0 })
  cleanups.push(() => server.close(), release)
  const refused = async (limit: string) => {
    const { values } = await metrics.refused.get()
    return values.find(({ labels }) => labels.limit === limit)?.value ?? 0
  }
  const client = (localAddress?: string) => {
    const created = new RawClient(portOf(server), localAddress)
    cleanups.push(() => created.socket.destroy())
    return created
  }
  /** Opens connections on which a request is in progress: until then, they are idle and may be closed for another one. */
  const hold = async (...localAddresses: (string | undefined)[]) => {
    const before = inProgress
    const held = localAddresses.map((address) => client(address).get('/held'))
    await eventually(() => inProgress === before + held.length)
    return held
  }
  return { server, release, refused, client, hold, scans: () => scans }
}

function* pieces(): Generator<Buffer> {
  for (let n = 0; n < LARGE_BYTES; n += 65_536) yield Buffer.alloc(65_536)
}

const scansAt = (path: string, scanned: () => void): PublicSide => ({
  unlimited: [
    {
      tryHandle: ({ url }, response) => {
        if (url !== path) return false
        scanned()
        response.end('scanned')
        return true
      },
      methodsOf: () => [],
    },
  ],
  limited: [],
  unhandled: {
    notFound: (_request, response) => response.writeHead(404).end(),
    methodNotAllowed: (_request, response) => response.writeHead(405).end(),
  },
})

const portOf = (server: Server): number => (server.server.address() as { port: number }).port

describe('a limit for connections from one address', () => {
  test('closes the connection that has been idle for longest, and serves the new one', async () => {
    const { client, refused } = await start({ connectionsPerAddress: 3 })
    const [first, second, third] = [await client().opened(), await client().opened(), await client().opened()]
    // The first one is used, so the second one has been idle for longest.
    expect(await first.get('/quick').status()).toBe(200)
    const fourth = client()
    expect(await fourth.get('/quick').status()).toBe(200)
    await second.closed()
    expect([first.isClosed, third.isClosed]).toEqual([false, false])
    expect(await refused('connections_per_address')).toBe(1)
  })

  test('closes a connection that has sent only a part of a request', async () => {
    const { client } = await start({ connectionsPerAddress: 1 })
    const partial = (await client().opened()).send('GET /quick HTTP/1.1\r\nHost: x\r\n')
    expect(await client().get('/quick').status()).toBe(200)
    await partial.closed()
  })

  test('refuses a new connection if all are in use, and completes those', async () => {
    const { client, release, hold } = await start({ connectionsPerAddress: 2 })
    const inUse = await hold(undefined, undefined)
    expect(await client().get('/quick').status()).toBe(0)
    release()
    expect(await Promise.all(inUse.map((used) => used.status()))).toEqual([200, 200])
  })

  test('does not affect other addresses', async () => {
    const { client, hold } = await start({ connectionsPerAddress: 2 })
    const held = await hold('127.0.0.2', '127.0.0.2')
    expect(await client('127.0.0.3').get('/quick').status()).toBe(200)
    expect(held.map(({ isClosed }) => isClosed)).toEqual([false, false])
  })

  test.each([true, '127.0.0.0/8'])('does not apply to a proxy that is trusted by %s', async (trustProxy) => {
    const { client } = await start({ connectionsPerAddress: 1 }, trustProxy)
    const clients = [await client().opened(), await client().opened(), await client().opened()]
    for (const each of clients) expect(await each.get('/quick').status()).toBe(200)
  })
})

describe('a limit for all connections', () => {
  test('closes the connection that has been idle for longest, from any address', async () => {
    const { client, refused } = await start({ connectionsMax: 2 })
    const [first, second] = [await client('127.0.0.2').opened(), await client('127.0.0.3').opened()]
    expect(await client('127.0.0.4').get('/quick').status()).toBe(200)
    await first.closed()
    expect(second.isClosed).toBe(false)
    expect(await refused('connections')).toBe(1)
  })

  test('a thousand idle connections do not keep a scan out', async () => {
    const { client, server } = await start({ connectionsMax: 10, connectionsPerAddress: 10 })
    for (let n = 0; n < 1000; n += 100) {
      const block = Array.from({ length: 100 }, (_, k) => client(`127.0.1.${n / 10 + (k % 10)}`).opened())
      await Promise.allSettled(block)
    }
    expect(await client('127.0.0.9').send(SCAN).status()).toBe(200)
    expect(server.connections.open).toBeLessThanOrEqual(10)
  })

  test('closes a slow reader if no connection is idle', async () => {
    const { client, server } = await start({ connectionsMax: 1 })
    const reader = client('127.0.0.2').get('/large')
    reader.socket.pause()
    await eventually(() => server.connections.usedBytes > 0)
    expect(await client('127.0.0.3').get('/scan').status()).toBe(200)
    reader.socket.resume()
    await reader.closed()
    expect(server.connections.usedBytes).toBe(0)
  })

  test('requests beside scans leave room for scans, and health checks are served', async () => {
    const { client, release, refused, hold } = await start({ connectionsMax: 10 })
    const held = await hold(...Array.from({ length: 8 }, (_, n) => `127.0.0.${n + 2}`))
    const ninth = client()
    expect(await ninth.get('/quick').status()).toBe(503)
    expect(ninth.received).toMatch(/\r\nretry-after: 1\r\n/)
    expect(ninth.received).toContain('"error":"service_unavailable"')
    await ninth.closed()
    expect(await refused('requests')).toBe(1)
    expect(await client().send(SCAN).status()).toBe(200)
    expect(await client().send(HEALTH).status()).toBe(200)
    release()
    expect(await Promise.all(held.map((each) => each.status()))).toEqual(held.map(() => 200))
    expect(await client().get('/quick').status()).toBe(200)
  })
})

describe('a slow reader', () => {
  test.each(['/large', '/stream'])('is disconnected if it takes nothing of %s', async (path) => {
    const { client, refused, server } = await start({ writeTimeoutMs: 100 })
    const reader = await client().opened()
    await eventually(() => server.connections.open === 1)
    reader.get(path).socket.pause()
    await eventually(() => server.connections.open === 0)
    expect(await refused('slow_reader')).toBe(1)
    expect(server.connections.usedBytes).toBe(0)
  })

  test('is served to the end if it keeps reading', async () => {
    const { client } = await start({ writeTimeoutMs: 3000 })
    const reader = client().get('/large')
    // It takes longer than the timeout, but never waits for as long.
    reader.socket.on('data', () => {
      reader.socket.pause()
      setTimeout(() => reader.socket.resume(), 25)
    })
    await eventually(() => reader.isClosed || reader.received.length > LARGE_BYTES)
    expect(reader.isClosed).toBe(false)
  })

  test('does not count against a request whose response is not ready', async () => {
    const { client, release, server } = await start({ writeTimeoutMs: 50 })
    const timedOut = once(server.server, 'timeout')
    const waiting = client()
    // Both share a connection. The first response keeps the second one from being sent.
    waiting.get('/held').get('/quick')
    await timedOut
    release()
    await eventually(() => waiting.received.split('HTTP/1.1 200').length === 3)
  })

  test('of the address with the most bytes is closed when the budget is used up', async () => {
    const { client, server, refused } = await start({ responseBytesMax: 3.5 * LARGE_BYTES })
    const modest = client('127.0.0.2').get('/large')
    modest.socket.pause()
    await eventually(() => server.connections.usedBytes > LARGE_BYTES)
    const greedy: RawClient[] = []
    for (let n = 0; n < 6; n++) {
      const reader = client('127.0.0.3').get('/large')
      reader.socket.pause()
      greedy.push(reader)
      await eventually(async () => (await refused('response_bytes')) + server.connections.open === n + 2)
    }
    await eventually(async () => (await refused('response_bytes')) === 4)
    expect(server.connections.usedBytes).toBeLessThanOrEqual(server.connections.bytesMax)
    for (const { socket } of [modest, ...greedy]) socket.resume()
    await eventually(() => modest.received.length > LARGE_BYTES)
    await eventually(() => greedy.slice(4).every(({ received }) => received.length > LARGE_BYTES))
    await eventually(() => greedy.slice(0, 4).every(({ isClosed }) => isClosed))
    expect(server.connections.usedBytes).toBe(0)
  })
})

describe('a body that nobody reads', () => {
  const POST = 'POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n'
  const SHORT_POST = 'POST /scan HTTP/1.1\r\nHost: x\r\nContent-Length: 7\r\n\r\n{"a":1}'

  test('is dropped, and the connection serves the next request', async () => {
    const { client } = await start({})
    const sender = client().send(POST)
    expect(await sender.status()).toBe(200)
    sender.received = ''
    expect(await sender.send('x'.repeat(1_000_000)).get('/scan').status()).toBe(200)
    expect(sender.received).toContain('scanned')
  })

  test('does not keep the connection open if it does not end', async () => {
    const { client } = await start({ drainMs: 100 })
    const sender = client().send(POST)
    expect(await sender.status()).toBe(200)
    await sender.closed()
  })

  test('does not keep the connection from being closed for a new one', async () => {
    const { client } = await start({ connectionsMax: 1 })
    const sender = client().send(POST)
    expect(await sender.status()).toBe(200)
    expect(await client().get('/scan').status()).toBe(200)
    await sender.closed()
  })

  test('is dropped on 32 connections of an address. The first is closed for another one', async () => {
    const { client, refused, server } = await start({})
    const other = client('127.0.0.2').send(POST)
    expect(await other.status()).toBe(200)
    const senders = []
    for (let n = 0; n < 33; n++) {
      const sender = client().send(POST)
      expect(await sender.status()).toBe(200)
      senders.push(sender)
    }
    await senders[0]?.closed()
    expect(senders.filter(({ isClosed }) => isClosed)).toHaveLength(1)
    expect(other.isClosed).toBe(false)
    expect(await refused('unread_bodies')).toBe(1)
    senders[1]?.send('x'.repeat(1_000_000))
    senders[1]!.received = ''
    expect(await senders[1]?.get('/scan').status()).toBe(200)
    // The response does not wait until the last chunk of the body before it is dropped.
    await eventually(() => server.connections.unreadBodies.waiting === 0)
    expect(await client().send(POST).status()).toBe(200)
    expect(await refused('unread_bodies')).toBe(1)
  })

  test('adds no listener to its connection', async () => {
    const { client, server } = await start({})
    const [[socket], sender] = await Promise.all([once(server.server, 'connection'), client().opened()])
    const send = async (bytes: string) => {
      sender.received = ''
      expect(await sender.send(bytes).status()).toBe(200)
    }
    await send(SHORT_POST)
    const before = (socket as Socket).listenerCount('close')
    for (const body of [SHORT_POST, `${POST}${'x'.repeat(1_000_000)}`, SHORT_POST]) await send(body)
    expect((socket as Socket).listenerCount('close')).toBe(before)
  })

  test('is the last one of its connection after ten others', async () => {
    const { client } = await start({})
    const sender = client()
    const isLast: boolean[] = []
    for (let n = 0; n < 11; n++) {
      sender.received = ''
      expect(await sender.send(SHORT_POST).status()).toBe(200)
      isLast.push(sender.received.includes('\r\nConnection: close\r\n'))
    }
    expect(isLast).toEqual(Array.from({ length: 11 }, (_, n) => n === 10))
    await sender.closed()
  })

  test('is handled ten times on a connection with thousands. After three of these, the address is refused', async () => {
    const { client, scans, refused } = await start({})
    for (let n = 0; n < 3; n++) await client().send(SHORT_POST.repeat(5000)).closed()
    expect(scans()).toBe(33)
    expect(await client().send(SCAN).status()).toBe(0)
    expect(await refused('connections_cut_off')).toBe(1)
    expect(await client('127.0.0.2').send(SCAN).status()).toBe(200)
  })

  test('of clients of a trusted proxy is dropped any number of times', async () => {
    const { client } = await start({}, '127.0.0.1')
    const sender = client()
    for (let n = 0; n < 30; n++) {
      sender.received = ''
      expect(await sender.send(SHORT_POST).status()).toBe(200)
    }
    expect(sender.isClosed).toBe(false)
  })

  test('of clients of a trusted proxy is dropped on any number of connections', async () => {
    const { client, refused } = await start({}, '127.0.0.1')
    const senders = Array.from({ length: 40 }, () => client().send(POST))
    for (const sender of senders) expect(await sender.status()).toBe(200)
    expect(senders.some(({ isClosed }) => isClosed)).toBe(false)
    expect(await refused('unread_bodies')).toBe(0)
  })
})

test('closes a connection with more than 64 requests in progress, and serves the next one', async () => {
  const { client, refused } = await start({})
  const eager = client()
  for (let n = 0; n < 65; n++) eager.get('/held')
  await eager.closed()
  expect(await refused('requests_per_connection')).toBe(1)
  expect(await client().get('/quick').status()).toBe(200)
})

test('counts nothing twice when a client leaves with requests in progress', async () => {
  const { client, server, release } = await start({ connectionsMax: 2 })
  for (let n = 0; n < 5; n++) {
    const leaving = client().get('/held').get('/held').get('/large')
    await eventually(() => server.connections.open === 1)
    leaving.socket.destroy()
    await eventually(() => server.connections.open === 0)
  }
  release()
  expect(server.connections.usedBytes).toBe(0)
  expect(await client().get('/quick').status()).toBe(200)
})

test('a stopping server closes idle connections at once, and others after their response', async () => {
  const { client, server, release, hold } = await start({})
  const silent = await client().opened()
  const partial = (await client().opened()).send('GET /quick')
  const [inUse] = (await hold(undefined)) as [RawClient]
  await eventually(() => server.connections.open === 3)
  const closed = server.close()
  await eventually(() => silent.isClosed && partial.isClosed)
  expect(inUse.isClosed).toBe(false)
  release()
  expect(await inUse.status()).toBe(200)
  await closed
})

test('a draining server serves requests, each as the last one of its connection', async () => {
  const { client, server, release, hold } = await start({})
  const idle = client().get('/quick')
  const [inUse] = (await hold(undefined)) as [RawClient]
  expect(await idle.status()).toBe(200)
  await eventually(() => server.connections.open === 2)
  server.connections.drain()
  release()
  for (const served of [idle.get('/scan'), inUse, client().get('/quick'), client().get('/stream')]) {
    await served.closed()
    expect(served.received).toMatch(/^HTTP\/1.1 200 /)
    expect(served.received).toContain('\r\nConnection: close\r\n')
  }
})
