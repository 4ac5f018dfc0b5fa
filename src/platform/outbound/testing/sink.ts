import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

export interface Sink {
  port: number
  /** How many have connected so far; each was hung up on. */
  connections(): number
  close(): Promise<void>
}

/** Stands where nobody may ever get to. */
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
