import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as Listener, type ListenOptions, type Socket } from 'node:net'
import type { Server } from './server.ts'

/** With 100 new connections at once, the last one waits for about 10 turns. */
const LISTENERS = 16

/**
 * Starts to listen. Returns a function that stops that, and then waits until all requests in progress are complete. The
 * server itself would only wait for those on connections that it has accepted itself.
 *
 * Node accepts one connection in each turn of the event loop. Somebody who opens many at once would make all others wait for
 * as many turns, which are long under load. So several listeners share the port, and each accepts one.
 */
export async function listen(server: Server, host: string, port: number): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') {
    await server.listen({ host, port })
    return () => server.close()
  }
  // Fails if another process uses the port, which those that share it would not notice.
  if (port !== 0) (await open({ host, port })).close()
  await server.listen({ host, port, reusePort: true } as { host: string; port: number })
  const shared = { host, port: (server.server.address() as AddressInfo).port, reusePort: true }
  const handOver = (socket: Socket) => server.server.emit('connection', socket)
  const opened = await Promise.allSettled(Array.from({ length: LISTENERS - 1 }, () => open(shared, handOver)))
  // Node before 22.12 cannot share a port.
  const listeners = opened.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  return async () => {
    const ended = listeners.map((listener) => once(listener.close(), 'close'))
    await server.close()
    await Promise.all(ended)
  }
}

/** Passes the options that Node gives to its HTTP servers. */
async function open(options: ListenOptions, onConnection?: (socket: Socket) => void): Promise<Listener> {
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, onConnection).listen(options)
  await once(listener, 'listening')
  return listener
}
