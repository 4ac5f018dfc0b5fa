import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setImmediate as tick } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { createOutboundClient, type OutboundClient } from './client.ts'
import type { DownloadRequest, OutboundRequest } from './exchange.ts'
import type { OutboundDownload } from './receive.ts'

const MAX = 1000
const GET: OutboundRequest = { method: 'GET', timeoutMs: 10_000, bodyBytesMax: MAX, whenLarger: 'fail' }
const HEAD = 'HTTP/1.1 200 OK\r\n'

const clients: OutboundClient[] = []
const servers: Server[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => once(server.close(), 'close')))
})

/** Starts a server on loopback and a client that may connect to it. */
async function listen(server: Server) {
  server.on('connection', (socket) => sockets.push(socket.on('error', () => {})))
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = createOutboundClient({ ports: [], devAllow: [`127.0.0.1:${port}`, `localhost:${port}`] })
  clients.push(client)
  return {
    port,
    client,
    request: (options?: Partial<OutboundRequest>, path = '/') =>
      client.request(`http://127.0.0.1:${port}${path}`, { ...GET, ...options }),
    download: <T>(options: Partial<DownloadRequest>, save: (response: OutboundDownload) => Promise<T>, path = '/') =>
      client.download(`http://127.0.0.1:${port}${path}`, { ...GET, ...options }, save),
  }
}

const serve = (handle: (request: IncomingMessage, response: ServerResponse) => void) => listen(createServer(handle))
/** Sends responses that no HTTP server would send. */
const respondRaw = (respond: (socket: Socket) => void) =>
  listen(createTcpServer((socket) => socket.once('data', () => respond(socket))))

test('returns status, headers and body, and requests no compression', async () => {
  const { port, request } = await serve(({ method, url, headers }, response) => {
    response.writeHead(201, { 'X-Colour': 'green' }).end(JSON.stringify({ method, url, headers }))
  })
  const received = await request({ headers: { accept: 'image/*', 'Accept-Encoding': 'gzip' } }, '/a?b=c#d')
  expect(received).toMatchObject({ status: 201, headers: { 'x-colour': 'green' }, truncated: false })
  expect(JSON.parse(received.body.toString())).toMatchObject({
    method: 'GET',
    url: '/a?b=c',
    headers: { host: `127.0.0.1:${port}`, accept: 'image/*', 'accept-encoding': 'identity' },
  })
})

test('sends the length of a request body', async () => {
  const { request } = await serve(async (incoming, response) => {
    response.end(`${incoming.method} ${incoming.headers['content-length']} ${await incoming.toArray()}`)
  })
  expect((await request({ method: 'POST', body: 'grün' })).body.toString()).toBe('POST 5 grün')
})

test('does not decompress a response', async () => {
  const { request } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('not even gzip')
  })
  expect((await request()).body.toString()).toBe('not even gzip')
})

test('does not follow a redirect', async () => {
  const paths: unknown[] = []
  const { port, request } = await serve(({ url }, response) => {
    paths.push(url)
    response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` }).end()
  })
  expect(await request()).toMatchObject({ status: 302, headers: { location: `http://127.0.0.1:${port}/inside` } })
  expect(paths).toEqual(['/'])
})

test('returns a body of exactly the limit completely, in any number of chunks', async () => {
  const { request } = await serve((_request, response) => {
    for (let byte = 0; byte < MAX; byte++) response.write('x')
    response.end()
  })
  expect(await request()).toMatchObject({ body: Buffer.alloc(MAX, 'x'), truncated: false })
})

test('rejects a Content-Length over the limit before any byte of the body arrives', async () => {
  const { request } = await respondRaw((socket) => socket.write(`${HEAD}Content-Length: ${MAX + 1}\r\n\r\n`))
  await expect(request()).rejects.toMatchObject({ kind: 'too_large' })
})

test('stops an endless body at the limit: with an error, or with its first bytes', async () => {
  const { request } = await serve((_request, response) => {
    const more = (): boolean => !response.destroyed && response.write('x'.repeat(300), () => setImmediate(more))
    more()
  })
  await expect(request()).rejects.toMatchObject({ kind: 'too_large' })
  expect(await request({ whenLarger: 'truncate' })).toMatchObject({ body: Buffer.alloc(MAX, 'x'), truncated: true })
})

test.each([
  ['accepts and never responds', () => {}],
  ['stops in the middle of its headers', (socket: Socket) => socket.write(`${HEAD}X-Colour: gr`)],
  [
    'sends endless headers',
    (socket: Socket) => {
      socket.write(HEAD)
      drip(socket, 'X: y\r\n')
    },
  ],
  [
    'sends its body one byte at a time',
    (socket: Socket) => {
      socket.write(`${HEAD}Content-Length: ${MAX}\r\n\r\n`)
      drip(socket, 'x')
    },
  ],
])('disconnects after the timeout from a server that %s', async (_name, respond) => {
  const { request } = await respondRaw(respond)
  await expect(request({ timeoutMs: 300 })).rejects.toMatchObject({ kind: 'timeout' })
  await eventually(() => sockets.length === 1 && sockets.every((socket) => socket.destroyed))
})

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20)
  socket.on('close', () => clearInterval(timer))
}

test.each([
  ['headers of more than 16 KiB', (socket: Socket) => socket.write(`${HEAD}X: ${'y'.repeat(20_000)}\r\n\r\n`)],
  ['a protocol that is not HTTP', (socket: Socket) => socket.write('220 acme.com ESMTP ready\r\n')],
  ['two lengths', (socket: Socket) => socket.write(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx`)],
  [
    'a protocol upgrade',
    (socket: Socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
  ],
  ['nothing', (socket: Socket) => socket.end()],
  ['a reset', (socket: Socket) => socket.resetAndDestroy()],
  ['half of a body', (socket: Socket) => socket.end(`${HEAD}Content-Length: 10\r\n\r\nhalf`)],
  [
    'chunks without the last one',
    (socket: Socket) => socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n`),
  ],
  ['half of a body and a reset', (socket: Socket) => resetAfter(socket, `${HEAD}Content-Length: 10\r\n\r\nhalf`)],
  [
    'a body without a length and a reset',
    (socket: Socket) => resetAfter(socket, `${HEAD}Connection: close\r\n\r\nhalf`),
  ],
])('fails on a server that sends %s, and returns no partial response', async (_name, respond) => {
  const { request } = await respondRaw(respond)
  await expect(request()).rejects.toMatchObject({ kind: 'protocol' })
})

/** A reset discards bytes that the client has not read yet, so this waits until it has read the headers. */
function resetAfter(socket: Socket, text: string): void {
  const reset = () => {
    unsubscribe('http.client.response.finish', reset)
    socket.resetAndDestroy()
  }
  subscribe('http.client.response.finish', reset)
  socket.write(text)
}

test('distinguishes a refused connection from a server that fails', async () => {
  const { client, port } = await serve(() => {})
  const [server] = servers.splice(0)
  await once(server!.close(), 'close')
  await expect(client.request(`http://localhost:${port}/`, GET)).rejects.toMatchObject({ kind: 'connect' })
})

test('reuses a connection for the same host only', async () => {
  const { client, port, request } = await serve(({ socket }, response) => response.end(`${socket.remotePort}`))
  const first = await request()
  expect((await request()).body).toEqual(first.body)
  expect((await client.request(`http://localhost:${port}/`, GET)).body).not.toEqual(first.body)
})

test('reports a reused connection that breaks as a protocol error, not as an unreachable host', async () => {
  const { request } = await serve(({ socket, url }, response) => {
    if (url === '/broken') socket.resetAndDestroy()
    else response.end()
  })
  await request()
  await expect(request({}, '/broken')).rejects.toMatchObject({ kind: 'protocol' })
  expect(sockets).toHaveLength(1)
})

test('does not reuse a connection after a truncated response', async () => {
  const { request } = await serve(({ socket, url }, response) => {
    response.end(url === '/long' ? 'x'.repeat(100_000) : `${socket.remotePort}`)
  })
  const { body } = await request()
  await request({ whenLarger: 'truncate' }, '/long')
  expect((await request()).body).not.toEqual(body)
})

test('closing aborts requests in flight', async () => {
  const { client, request } = await serve(() => client.close())
  await expect(request()).rejects.toMatchObject({ kind: 'protocol' })
})

/** Reads everything and throws it away. */
async function drain({ body }: OutboundDownload): Promise<number> {
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  return bytes
}

describe('a download', () => {
  test('is never held in memory: the server waits for the reader', async () => {
    const chunk = Buffer.alloc(64 * 1024)
    const total = 64 * 1024 * 1024
    let sent = 0
    const { download } = await serve((_request, response) => {
      const more = (): void => {
        while (sent < total) {
          sent += chunk.length
          if (!response.write(chunk)) return void response.once('drain', more)
        }
        response.end()
      }
      more()
    })
    let received = 0
    let aheadMax = 0
    await download({ bodyBytesMax: total }, async ({ body }) => {
      for await (const part of body) {
        received += part.length
        // Gives the server the time to send more.
        for (let n = 0; n < 5; n++) await tick()
        aheadMax = Math.max(aheadMax, sent - received)
      }
    })
    expect(received).toBe(total)
    // The rest is in the buffers of the two sockets.
    expect(aheadMax).toBeLessThan(total / 2)
  })

  test('passes on status, headers and a body of exactly the limit, and the result of the reader', async () => {
    const { download } = await serve((_request, response) => {
      response.writeHead(201, { 'X-Colour': 'green' }).end(Buffer.alloc(MAX))
    })
    const result = download({}, async (response) => {
      expect(response).toMatchObject({ status: 201, headers: { 'x-colour': 'green' } })
      return drain(response)
    })
    expect(await result).toBe(MAX)
  })

  test('fails while it arrives when it is larger than the limit, with or without a Content-Length', async () => {
    const { download } = await serve(({ url }, response) => {
      if (url === '/chunked') response.write('x')
      response.end(Buffer.alloc(MAX + 1))
    })
    await expect(download({}, drain)).rejects.toMatchObject({ kind: 'too_large' })
    await expect(download({}, drain, '/chunked')).rejects.toMatchObject({ kind: 'too_large' })
  })

  test('fails in the reader when it times out or breaks, and ends only when the reader has ended', async () => {
    const { download } = await serve(({ url }, response) => {
      response.write('half', () => url === '/broken' && response.destroy())
    })
    for (const [path, kind] of [
      ['/slow', 'timeout'],
      ['/broken', 'protocol'],
    ] as const) {
      const events: string[] = []
      const reading = download(
        { timeoutMs: 300 },
        async (response) => {
          await drain(response).catch(async (error) => {
            await tick()
            events.push(error.kind)
            throw error
          })
        },
        path,
      )
      await expect(reading.finally(() => events.push('ended'))).rejects.toMatchObject({ kind })
      expect(events).toEqual([kind, 'ended'])
    }
  })

  test('closes the connection when the reader fails or does not read to the end, and passes on its error', async () => {
    const { download } = await serve((_request, response) => void response.write('half'))
    const full = new Error('the disk is full')
    await expect(download({}, () => Promise.reject(full))).rejects.toBe(full)
    await expect(
      download({}, async ({ body }) => {
        await body.next()
        throw full
      }),
    ).rejects.toBe(full)
    expect(await download({}, async ({ status }) => status)).toBe(200)
    await eventually(() => sockets.length === 3 && sockets.every((socket) => socket.destroyed))
  })
})
