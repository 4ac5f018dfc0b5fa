import type { ServerResponse } from 'node:http'
import { isSignedBy, type Received, type WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'

/** Share of attempts that fail, split evenly between three kinds of failure. */
const FAILING = 0.3
const SLOW = 0.01
const SLOW_MS = 300
/** After this long without an arrival, no worker was sending. */
const SILENCE_MS = 1000

interface Arrival {
  body: string
  /** How many complete 200 responses it got. */
  accepted: number
}

/** Records what arrives at a receiver that responds at random. */
export class Inbox {
  readonly arrivals = new Map<string, Arrival>()
  /** Arrivals with a known ID but another body than before. */
  changedBodies = 0
  badSignatures = 0
  attempts = 0
  longestSilenceMs = 0
  #sendingMs = 0
  #lastAtMs: number | undefined

  /** `secrets` maps each path to the secret of its endpoint. */
  constructor(receiver: WebhookReceiver, secrets: ReadonlyMap<string, string>) {
    receiver.reply = (response, received) => {
      // Otherwise the receiver keeps all requests in memory, a hundred thousand with their headers.
      receiver.received.length = 0
      this.#record(received, secrets.get(received.path) ?? '')
      respondAtRandom(response, () => this.#accepted(received.delivery))
    }
  }

  /** Measured only while workers were sending. */
  get attemptsPerSecond(): number {
    return this.attempts / (this.#sendingMs / 1000)
  }

  #record(received: Received, secret: string): void {
    const nowMs = performance.now()
    const silenceMs = nowMs - (this.#lastAtMs ?? nowMs)
    this.#lastAtMs = nowMs
    this.longestSilenceMs = Math.max(this.longestSilenceMs, silenceMs)
    if (silenceMs < SILENCE_MS) this.#sendingMs += silenceMs
    this.attempts++
    if (!isSignedBy(received, secret)) this.badSignatures++
    const known = this.arrivals.get(received.delivery)
    if (known === undefined) this.arrivals.set(received.delivery, { body: received.body, accepted: 0 })
    else if (known.body !== received.body) this.changedBodies++
  }

  #accepted(deliveryId: string): void {
    const arrival = this.arrivals.get(deliveryId)
    if (arrival !== undefined) arrival.accepted++
  }
}

function respondAtRandom(response: ServerResponse, accepted: () => void): void {
  const chance = Math.random()
  if (chance < FAILING / 3) response.writeHead(500).end('broken')
  else if (chance < (FAILING / 3) * 2) response.writeHead(503).end()
  else if (chance < FAILING) response.socket?.resetAndDestroy()
  else {
    response.once('finish', accepted)
    if (Math.random() < SLOW) setTimeout(() => response.end(), SLOW_MS)
    else response.end()
  }
}
