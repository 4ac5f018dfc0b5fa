import { createServer, type Socket } from 'node:net'
import { queryObjects } from 'node:v8'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { Announcements } from '../announcements.ts'
import { startListening } from './listening.ts'

/** Starts listening on a fake server that passes each connection to `onConnection` and does nothing else. */
async function listen(onConnection: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const announcements = new Announcements()
  const received: string[] = []
  announcements.listen({
    changed: (topic, key) => received.push(`${topic} ${key}`),
    interrupted: () => received.push('interrupted'),
    resumed: () => received.push('resumed'),
  })
  const stop = startListening(`postgres://waymark:waymark@127.0.0.1:${port}/waymark`, announcements)
  const end = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { sockets, received, stop, end }
}

test.concurrent('can be stopped while the server does not respond', async () => {
  const { sockets, received, stop, end } = await listen(() => {})
  await eventually(() => sockets.length === 1)
  await stop()
  expect(received).not.toContain('resumed')
  end()
})

test.concurrent('reconnects if the server does not respond', async () => {
  const { sockets, received, stop, end } = await listen(() => {})
  await eventually(() => sockets.length === 2)
  expect(received).not.toContain('resumed')
  end()
  await stop()
})

test.concurrent('retries a server that closes the connection, until it is stopped', async () => {
  const { sockets, received, stop, end } = await listen((socket) => socket.destroy())
  await eventually(() => sockets.length > 2)
  await stop()
  const attempts = sockets.length
  await eventually(() => sockets.every(({ destroyed }) => destroyed))
  expect(sockets).toHaveLength(attempts)
  expect(received).not.toContain('resumed')
  end()
})

test('keeps nothing of its heartbeats', async () => {
  await countQueries(async (count) => {
    const stop = startListening(`${inject('postgresServer')}postgres`, new Announcements(), 1)
    await eventually(() => count() > 100)
    const [before, promises] = [count(), countPromises()]
    await eventually(() => count() > before + 300)
    expect(countPromises()).toBeLessThan(promises + 100)
    await stop()
  })
})

const countPromises = () => queryObjects(Promise, { format: 'count' })

/** Calls `work` with a function that returns how many statements were sent since. */
async function countQueries(work: (count: () => number) => Promise<void>): Promise<void> {
  const { prototype } = pg.Client
  const { query } = prototype
  let count = 0
  prototype.query = function (this: pg.Client, ...statement: never[]) {
    count++
    return query.apply(this, statement as never)
  } as typeof query
  try {
    await work(() => count)
  } finally {
    prototype.query = query
  }
}
