import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { RawClient } from '../testing/raw-client.ts'
import { Drain } from './drain.ts'

const CLIENTS = 50
const BODY = 'x'.repeat(200_000)

let drain: Drain
let sockets: Socket[]
let requests: IncomingMessage[]
let server: ReturnType<typeof createServer>

beforeEach(async () => {
  drain = new Drain()
  sockets = []
  requests = []
  server = createServer((request, response) => {
    drain.add(request)
    requests.push(request)
    response.end('refused')
  }).on('connection', (socket) => {
    sockets.push(socket)
    socket.once('close', () => {
      for (const request of requests) if (request.socket === socket) drain.forget(request)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => server.close())

const open = () => new RawClient((server.address() as AddressInfo).port)
const upload = (client: RawClient, declared: number) =>
  client.send(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${declared}\r\n\r\n${BODY}`)
const refused = (client: RawClient) => eventually(() => client.received.includes('refused'))

test('reads a body to its end, and adds no listener to the connection', async () => {
  const client = open().get('/')
  await refused(client)
  const listeners = () => sockets[0]?.listenerCount('close')
  const before = listeners()
  for (let n = 0; n < 3; n++) {
    client.received = ''
    upload(client, BODY.length)
    await refused(client)
    await eventually(() => listeners() === before)
  }
  await eventually(() => drain.waiting === 0)
  client.socket.destroy()
})

test('keeps nothing of a connection that is closed', async () => {
  const clients = Array.from({ length: CLIENTS }, () => upload(open(), 10 * BODY.length))
  await eventually(() => clients.every(({ received }) => received.includes('refused')))
  await eventually(() => drain.waiting > 10)
  await Promise.all(
    sockets.map((socket) => {
      socket.destroy()
      return once(socket, 'close')
    }),
  )
  expect(drain.waiting).toBe(0)
})

test('disconnects a client that sends a thousand short chunks', async () => {
  const client = open().send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await refused(client)
  client.send('1\r\nx\r\n'.repeat(500))
  client.send('1\r\nx\r\n'.repeat(501))
  await client.closed()
})

test('reads chunks of 1 KiB to the end of the body', async () => {
  const client = open().send('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
  await refused(client)
  client.received = ''
  client.send(`400\r\n${'x'.repeat(1024)}\r\n`.repeat(1500))
  await refused(client.send('0\r\n\r\n').get('/'))
  client.socket.destroy()
})
