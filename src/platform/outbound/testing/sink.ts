import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export interface Sink {
  port: number
  /** The number of connections so far. Each one is closed at once. */
  connections(): number
  close(): Promise<void>
}

/** Starts a server that no request may ever reach. */
export async function startSink(address = '127.0.0.1', port = 0): Promise<Sink> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  server.listen(port, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}
