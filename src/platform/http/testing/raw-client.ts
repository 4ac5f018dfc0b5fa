import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { eventually } from '../../../testing/eventually.ts'

/** One connection to a server on this machine. Sends raw bytes, for requests that no HTTP client would send. */
export class RawClient {
  readonly socket: Socket
  received = ''
  isClosed = false

  constructor(port: number, localAddress = '127.0.0.1') {
    this.socket = connect({ port, host: '127.0.0.1', localAddress })
    this.socket.setEncoding('latin1').on('data', (text: string) => {
      this.received += text
    })
    this.socket
      .on('error', () => {})
      .on('close', () => {
        this.isClosed = true
      })
  }

  async opened(): Promise<this> {
    await once(this.socket, 'connect')
    return this
  }

  send(bytes: string): this {
    this.socket.write(bytes)
    return this
  }

  get(path: string): this {
    return this.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  }

  /** Waits for the head of a response. Returns 0 if the connection is closed without one. */
  async status(): Promise<number> {
    await eventually(() => this.received.includes('\r\n\r\n') || this.isClosed)
    return Number(this.received.split(' ')[1] ?? 0)
  }

  async closed(): Promise<void> {
    await eventually(() => this.isClosed)
  }
}
