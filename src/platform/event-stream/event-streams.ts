import type { ServerResponse } from 'node:http'
import { HOUR_MS, SECOND_MS } from '../clock/index.ts'
import type { Metrics } from '../telemetry/metrics.ts'

export interface StreamLimits {
  perVisitor: number
  /** Many visitors may share an address. */
  perAddress: number
  perOrganisation: number
  perProcess: number
}

export const STREAM_LIMITS: StreamLimits = { perVisitor: 5, perAddress: 100, perOrganisation: 500, perProcess: 5000 }

/** Whose stream it is. Each has its own limit. */
export interface StreamOwner {
  visitor: string
  address: string
  organisation: string
}

/** A response to which events are written as they happen (server-sent events). */
export interface EventStream {
  readonly isOpen: boolean
  /** `id` is what the client sends as `Last-Event-ID` to continue after this event. */
  send(event: string, data: unknown, id?: string): void
  /** Ends the response. The client may open another one. */
  end(): void
}

/** Proxies close connections on which nothing happens for a minute. It also finds out that a client has gone. */
const HEARTBEAT_MS = 20 * SECOND_MS
/** After this, the client opens a new stream, and everything is checked again. */
const AGE_MAX_MS = HOUR_MS
/** A client that has not taken this much is too slow. It gets the rest when it comes back. */
const WAITING_BYTES_MAX = 256 * 1024

const HEADERS = [
  ...['content-type', 'text/event-stream; charset=utf-8'],
  // `no-transform` also keeps proxies from compressing, which would hold events back.
  ...['cache-control', 'no-store, no-transform'],
  // nginx would hold events back, too.
  ...['x-accel-buffering', 'no'],
]

/** Opens event streams within limits, keeps them alive, and ends them at shutdown. */
export class EventStreams {
  readonly #limits: StreamLimits
  readonly #metrics: Metrics
  readonly #open = new Set<OpenStream>()
  readonly #counts = new Map<string, number>()
  readonly #heartbeat: NodeJS.Timeout
  #isClosing = false

  constructor(limits: StreamLimits, metrics: Metrics) {
    this.#limits = limits
    this.#metrics = metrics
    this.#heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS)
    this.#heartbeat.unref()
    metrics.watchQueue('event_streams', this)
  }

  /** Metrics read this. */
  readonly waiting = 0
  get running(): number {
    return this.#open.size
  }

  /** Returns undefined if there are too many. The response is untouched then. Otherwise `onClose` is called once. */
  open(
    response: ServerResponse,
    owner: StreamOwner,
    headers: readonly string[],
    onClose: () => void,
  ): EventStream | undefined {
    // The client has left already, so `close` will not be emitted any more.
    if (response.destroyed) return undefined
    const { perVisitor, perAddress, perOrganisation, perProcess } = this.#limits
    const keys: [key: string, max: number][] = [
      [`visitor ${owner.visitor}`, perVisitor],
      [`address ${owner.address}`, perAddress],
      [`organisation ${owner.organisation}`, perOrganisation],
    ]
    const isFull = this.#open.size >= perProcess || keys.some(([key, max]) => (this.#counts.get(key) ?? 0) >= max)
    if (isFull || this.#isClosing) {
      this.#metrics.refused.inc({ limit: 'event_streams' })
      return undefined
    }
    const onSlow = () => this.#metrics.refused.inc({ limit: 'slow_reader' })
    const stream = new OpenStream(response, onSlow, performance.now() + AGE_MAX_MS)
    for (const [key] of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
    this.#open.add(stream)
    response.once('close', () => {
      this.#open.delete(stream)
      for (const [key] of keys) this.#leave(key)
      onClose()
    })
    response.writeHead(200, [...HEADERS, ...headers])
    response.flushHeaders()
    return stream
  }

  /** Ends all streams, so that a stopping process does not wait for them. Later ones are refused. */
  close(): void {
    this.#isClosing = true
    clearInterval(this.#heartbeat)
    for (const stream of this.#open) stream.end()
  }

  /** Called by the timer. */
  beat(): void {
    const nowMs = performance.now()
    for (const stream of this.#open) stream.beat(nowMs)
  }

  #leave(key: string): void {
    const count = (this.#counts.get(key) ?? 1) - 1
    if (count === 0) this.#counts.delete(key)
    else this.#counts.set(key, count)
  }
}

class OpenStream implements EventStream {
  readonly #response: ServerResponse
  readonly #onSlow: () => void
  readonly #endsAtMs: number

  constructor(response: ServerResponse, onSlow: () => void, endsAtMs: number) {
    this.#response = response
    this.#onSlow = onSlow
    this.#endsAtMs = endsAtMs
  }

  get isOpen(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed
  }

  send(event: string, data: unknown, id?: string): void {
    // JSON has no line breaks, which would end the event.
    this.#write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }

  beat(nowMs: number): void {
    if (nowMs >= this.#endsAtMs) this.end()
    else this.#write(':\n\n')
  }

  end(): void {
    if (this.isOpen) this.#response.end()
  }

  #write(text: string): void {
    if (!this.isOpen) return
    this.#response.write(text)
    if (this.#response.writableLength <= WAITING_BYTES_MAX) return
    this.#onSlow()
    this.#response.destroy()
  }
}
