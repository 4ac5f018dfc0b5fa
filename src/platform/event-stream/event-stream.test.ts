import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { eventually } from '../../testing/eventually.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { type EventStream, EventStreams, type StreamLimits } from './index.ts'

const LIMITS: StreamLimits = { perVisitor: 2, perAddress: 3, perOrganisation: 4, perProcess: 5 }
const OWNER = { visitor: 'v', address: 'a', organisation: 'o' }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A server that opens a stream for each request, of the owner whom the path names as `/visitor/address/organisation`. */
async function serve(limits = LIMITS) {
  const streams = new EventStreams(limits, createMetrics())
  const opened: EventStream[] = []
  let closed = 0
  const server = createServer((request, response: ServerResponse) => {
    const [, visitor = 'v', address = 'a', organisation = 'o'] = (request.url ?? '').split('/')
    const owner = { visitor, address, organisation }
    const stream = streams.open(response, owner, ['x-request-id', 'r'], () => closed++)
    if (stream === undefined) response.writeHead(429).end()
    else opened.push(stream)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.closeAllConnections()
    server.close()
    streams.close()
  })
  const open = async (path = '/v/a/o'): Promise<{ response: IncomingMessage; text: () => string }> => {
    const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', path, agent: false })
    request.on('error', () => {})
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    response.on('error', () => {})
    return { response, text: () => text }
  }
  return { streams, opened, open, closedCount: () => closed }
}

test('events have a name, an id and JSON on one line', async () => {
  const { opened, open } = await serve()
  const { response, text } = await open()
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-request-id': 'r',
  })
  opened[0]?.send('message', { text: 'one\ntwo\r\n: 🏷' }, 'id-1')
  opened[0]?.send('state', null)
  await eventually(() => text().includes('null'))
  expect(text()).toBe('id: id-1\nevent: message\ndata: {"text":"one\\ntwo\\r\\n: 🏷"}\n\nevent: state\ndata: null\n\n')
})

test.each([
  ['of a visitor', ['/v/1/1', '/v/2/2', '/v/3/3'], '/w/3/3'],
  ['of an address', ['/1/a/1', '/2/a/2', '/3/a/3', '/4/a/4'], '/4/b/4'],
  ['of an organisation', ['/1/1/o', '/2/2/o', '/3/3/o', '/4/4/o', '/5/5/o'], '/5/5/p'],
  ['of the process', ['/1/1/1', '/2/2/2', '/3/3/3', '/4/4/4', '/5/5/5', '/6/6/6'], undefined],
])('streams %s are limited, and others are not affected', async (_, paths, other) => {
  const { open, closedCount } = await serve()
  const all = []
  for (const path of paths) all.push(await open(path))
  const refused = all.pop()
  expect(all.map(({ response }) => response.statusCode)).toEqual(all.map(() => 200))
  expect(refused?.response.statusCode).toBe(429)
  if (other !== undefined) expect((await open(other)).response.statusCode).toBe(200)
  // One that is closed makes room.
  all[0]?.response.destroy()
  await eventually(() => closedCount() > 0)
  expect((await open(paths.at(-1))).response.statusCode).toBe(200)
})

test('heartbeats keep a stream alive', async () => {
  const { streams, open } = await serve()
  const { text } = await open()
  streams.beat()
  await eventually(() => text() === ':\n\n')
})

test('a client that does not read is disconnected, and its place is free again', async () => {
  const { opened, open, closedCount } = await serve({ ...LIMITS, perVisitor: 1 })
  const { response } = await open()
  response.pause()
  const [stream] = opened as [EventStream]
  for (let n = 0; n < 200_000 && stream.isOpen; n++) stream.send('message', 'x'.repeat(1000))
  expect(stream.isOpen).toBe(false)
  await eventually(() => closedCount() === 1)
  expect((await open()).response.statusCode).toBe(200)
})

test('a client that left before its stream is opened takes no place', async () => {
  const streams = new EventStreams({ ...LIMITS, perProcess: 1 }, createMetrics())
  const { promise: opened, resolve } = Promise.withResolvers<EventStream | undefined>()
  const server = createServer((_request, response) => {
    response.once('close', () => resolve(streams.open(response, OWNER, [], () => {})))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false })
  request.on('error', () => {})
  await once(server, 'request')
  request.destroy()
  expect(await opened).toBeUndefined()
  expect(streams.running).toBe(0)
  streams.close()
  server.close()
})

test('closing ends all streams and refuses later ones', async () => {
  const { streams, open, closedCount } = await serve()
  const first = await open()
  const ended = once(first.response, 'end')
  streams.close()
  await ended
  await eventually(() => closedCount() === 1)
  expect((await open()).response.statusCode).toBe(429)
})

test('sending to a client that has left does nothing', async () => {
  const { opened, open, closedCount } = await serve()
  const { response } = await open()
  response.destroy()
  await eventually(() => closedCount() === 1)
  expect(() => opened[0]?.send('message', OWNER)).not.toThrow()
  opened[0]?.end()
})
