import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A received delivery. */
export interface Received {
  path: string
  event: string
  delivery: string
  headers: IncomingHttpHeaders
  body: string
}

type Reply = number | ((response: ServerResponse, received: Received) => void)

/** A webhook receiver on loopback. It stores everything that it receives and responds with `reply`. */
export class WebhookReceiver {
  readonly received: Received[] = []
  reply: Reply = 200
  /** Requests in flight, and the highest number of them so far. */
  open = 0
  openMax = 0
  readonly #server: Server

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer()
    const receiver = new WebhookReceiver(server)
    server.on('request', async (request, response) => {
      receiver.openMax = Math.max(receiver.openMax, ++receiver.open)
      response.on('close', () => receiver.open--)
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { url = '', headers } = request
      const received = {
        path: url,
        event: String(headers['x-service-event']),
        delivery: String(headers['x-service-delivery']),
        headers,
        body: Buffer.concat(chunks).toString(),
      }
      receiver.received.push(received)
      const { reply } = receiver
      if (typeof reply === 'number') response.writeHead(reply).end()
      else reply(response, received)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The value of WEBHOOK_DEV_ALLOW. */
  get host(): string {
    return `127.0.0.1:${this.port}`
  }

  /** The settings of a service that may send to this receiver and to no other address. */
  get outbound() {
    return { ports: [443], devAllow: [this.host], dnsServers: ['127.0.0.1:1'] }
  }

  url(path = '/'): string {
    return `http://${this.host}${path}`
  }

  /** Returns the deliveries to a path. */
  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await once(this.#server.close(), 'close')
  }
}

/** Whether the delivery was signed with this secret, in both schemes. */
export function isSignedBy({ headers, body }: Received, secret: string): boolean {
  const [time = '', ...parts] = String(headers['x-service-signature']).split(',')
  const t = time.replace('t=', '')
  const expected = `v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
  return t === headers['x-service-timestamp'] && parts.includes(expected) && isStandard({ headers, body }, secret)
}

/** Lets the library of Standard Webhooks sign the same. To verify, it would need the clock of the test, which may be ahead. */
function isStandard({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const of = (name: string) => String(headers[name])
  const verifier = new Webhook(secret)
  const signed = verifier.sign(of('webhook-id'), new Date(Number(of('webhook-timestamp')) * 1000), body)
  const isComplete = of('webhook-id') === `${of('x-service-delivery')}:${of('x-service-event')}`
  return isComplete && of('webhook-signature').split(' ').includes(signed)
}
