import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Connects the service with PostgreSQL, and can hold back every byte, as a server or a network that hangs does. */
export class SilentProxy implements AsyncDisposable {
  /** The URL of the database through this proxy. */
  readonly url: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isSilent = false

  private constructor(server: Server, target: URL) {
    this.#server = server
    const { port } = server.address() as AddressInfo
    this.url = Object.assign(new URL(target), { port: String(port) }).href
    server.on('connection', (client) => this.#forward(client, connect(Number(target.port), target.hostname)))
  }

  static async start(databaseUrl: string): Promise<SilentProxy> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new SilentProxy(server, new URL(databaseUrl))
  }

  /** Open connections stay open, new ones are accepted, and nothing is forwarded any more. */
  silence(): void {
    this.#isSilent = true
    this.silenceOpenConnections()
  }

  /** New connections work. */
  silenceOpenConnections(): void {
    for (const socket of this.#sockets) socket.pause()
  }

  resume(): void {
    this.#isSilent = false
    for (const socket of this.#sockets) socket.resume()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #forward(client: Socket, upstream: Socket): void {
    const end = () => {
      for (const socket of [client, upstream]) {
        socket.destroy()
        this.#sockets.delete(socket)
      }
    }
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (data) => to.write(data))
      from.on('close', end)
      from.on('error', end)
      if (this.#isSilent) from.pause()
    }
  }
}
