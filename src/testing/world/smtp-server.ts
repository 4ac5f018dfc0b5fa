import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { type ParsedMail, parseMail } from './parse-mail.ts'

export interface ReceivedMail extends ParsedMail {
  /** The recipients of the envelope. */
  to: string[]
  /** The first address in the text, without its host. */
  path: string
}

/** What the server does with a message: an SMTP code, or `hang` to answer never. */
type Reply = 250 | 421 | 451 | 550 | 'hang'

/** A real SMTP server on loopback. It stores every message that it accepts. */
export class TestSmtpServer {
  readonly received: ReceivedMail[] = []
  /** The reply to recipients. */
  reply: Reply = 250
  /** Messages whose recipient was accepted or refused. */
  attempts = 0
  /** The recipients of these messages. */
  readonly tried = new Set<string>()
  /** Messages that are being received, and the highest number of them so far. */
  open = 0
  openMax = 0
  readonly #server: SMTPServer
  readonly #sockets = new Set<Socket>()

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      closeTimeout: 1,
      onRcptTo: ({ address }, _session, answer) => {
        this.attempts++
        this.tried.add(address)
        if (this.reply === 'hang') return
        answer(this.reply === 250 ? null : Object.assign(new Error('No'), { responseCode: this.reply }))
      },
      onData: async (stream, session, answer) => {
        this.openMax = Math.max(this.openMax, ++this.open)
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        this.#keep(
          Buffer.concat(chunks).toString(),
          session.envelope.rcptTo.map(({ address }) => address),
        )
        this.open--
        answer(null)
      },
    })
    // A client that gives up ends its connection.
    this.#server.on('error', () => {})
    this.#server.server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
  }

  static async start(): Promise<TestSmtpServer> {
    const server = new TestSmtpServer()
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server.server, 'listening')
    return server
  }

  /** The settings of a service that sends to this server. */
  get settings() {
    const { port } = this.#server.server.address() as AddressInfo
    return { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'Acme <no-reply@acme.example>' }
  }

  /** The messages to an address. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address))
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }

  #keep(raw: string, to: string[]): void {
    const parsed = parseMail(raw)
    const url = /^https?:\/\/\S+$/m.exec(parsed.text)?.[0] ?? 'http://none/'
    const { pathname, search } = new URL(url)
    this.received.push({ ...parsed, to, path: pathname + search })
  }
}
