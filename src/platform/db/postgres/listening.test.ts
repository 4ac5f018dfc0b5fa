import { createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from '../../../testing/eventually.ts'
import { Announcements } from '../announcements.ts'
import { startListening } from './listening.ts'

/** Listens to a server that takes connections and does nothing with them but what it is told. */
async function listen(take: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    take(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const announcements = new Announcements()
  const heard: string[] = []
  announcements.listen({
    changed: (topic, key) => heard.push(`${topic} ${key}`),
    interrupted: () => heard.push('interrupted'),
    resumed: () => heard.push('resumed'),
  })
  const stop = startListening(`postgres://waymark:waymark@127.0.0.1:${port}/waymark`, announcements)
  const end = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { sockets, heard, stop, end }
}

test.concurrent('a server that never answers keeps nobody from stopping', async () => {
  const { sockets, heard, stop, end } = await listen(() => {})
  await eventually(() => sockets.length === 1)
  await stop()
  expect(heard).not.toContain('resumed')
  end()
})

test.concurrent('a server that never answers is given up, and tried again', async () => {
  const { sockets, heard, stop, end } = await listen(() => {})
  await eventually(() => sockets.length === 2)
  expect(heard).not.toContain('resumed')
  end()
  await stop()
})

test.concurrent('a server that refuses is tried again until it is stopped, and not once more', async () => {
  const { sockets, heard, stop, end } = await listen((socket) => socket.destroy())
  await eventually(() => sockets.length > 2)
  await stop()
  const tried = sockets.length
  await eventually(() => sockets.every(({ destroyed }) => destroyed))
  expect(sockets).toHaveLength(tried)
  expect(heard).not.toContain('resumed')
  end()
})
