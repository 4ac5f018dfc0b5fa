import type { ServerResponse } from 'node:http'
import { isSignedBy, type Received, type WebhookReceiver } from '../../src/testing/world/webhook-receiver.ts'

/** What share of what arrives is not taken: each of three kinds of failure has a third of it. */
const FAILING = 0.3
const SLOW = 0.01
const SLOW_MS = 300
/** After so long without an arrival nobody was sending. */
const SILENCE_MS = 1000

interface Arrival {
  body: string
  /** How often it was answered 200, to the end. */
  accepted: number
}

/** All that arrives at a receiver whose answer is a matter of chance. */
export class Inbox {
  readonly arrivals = new Map<string, Arrival>()
  /** Arrivals under an id that had another body before. */
  changedBodies = 0
  badSignatures = 0
  attempts = 0
  longestSilenceMs = 0
  #sendingMs = 0
  #lastAtMs: number | undefined

  /** The secrets are by path. */
  constructor(receiver: WebhookReceiver, secrets: ReadonlyMap<string, string>) {
    receiver.reply = (response, received) => {
      // It would remember a hundred thousand of them, headers and all.
      receiver.received.length = 0
      this.#remember(received, secrets.get(received.path) ?? '')
      answerByChance(response, () => this.#accepted(received.delivery))
    }
  }

  /** While somebody was sending. */
  get attemptsPerSecond(): number {
    return this.attempts / (this.#sendingMs / 1000)
  }

  #remember(received: Received, secret: string): void {
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

function answerByChance(response: ServerResponse, accepted: () => void): void {
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
