import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { createLogger } from '../../telemetry/logging.ts'
import { createMetrics } from '../../telemetry/metrics.ts'
import { listen } from './listen.ts'
import { createServer } from './server.ts'

const HOST = '127.0.0.1'

async function start(port = 0) {
  const server = createServer({ trustProxy: false }, { log: createLogger('silent'), metrics: createMetrics() })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  server.get('/', async () => 'hello')
  server.get('/held', async () => {
    hold()
    await released
    return 'hello'
  })
  const close = await listen(server, HOST, port)
  onTestFinished(close)
  return { server, close, held, release, port: (server.server.address() as AddressInfo).port }
}

const open = (port: number) => {
  const socket = connect(port, HOST)
  onTestFinished(() => void socket.destroy())
  return socket
}

// `listen` opens several listeners on Linux only.
test.runIf(process.platform === 'linux')('accepts several connections in one turn of the event loop', async () => {
  const { server, port } = await start()
  const turns: number[] = []
  let turn = 0
  let isCounting = true
  const count = () => {
    turn++
    if (isCounting) setImmediate(count)
  }
  const connected = Array.from({ length: 60 }, () => once(open(port), 'connect'))
  server.server.on('connection', () => turns.push(turn))
  count()
  await eventually(() => turns.length === 60)
  isCounting = false
  await Promise.all(connected)
  expect(new Set(turns).size).toBeLessThan(40)
})

test('serves every connection, whichever listener has accepted it', async () => {
  const { port } = await start()
  const responses = await Promise.all(Array.from({ length: 60 }, () => fetch(`http://${HOST}:${port}/`)))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
})

test('refuses a port that another server uses, although that one would share it', async () => {
  const { port } = await start()
  await expect(start(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('accepts no connection after it was closed, and the port is free again', async () => {
  const { port, close } = await start()
  await close()
  const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => once(open(port), 'connect')))
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await start(port)
})

test('is closed after the last response, whichever listener has accepted its connection', async () => {
  // Several servers, because the system chooses the listener.
  for (const { port, close, held, release } of await Promise.all([start(), start(), start()])) {
    const response = fetch(`http://${HOST}:${port}/held`)
    await held
    let isClosed = false
    const closed = close().then(() => {
      isClosed = true
    })
    await expect(fetch(`http://${HOST}:${port}/`)).rejects.toThrow()
    expect(isClosed).toBe(false)
    release()
    expect((await response).status).toBe(200)
    await closed
  }
})
