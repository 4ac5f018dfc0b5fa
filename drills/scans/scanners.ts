import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PHONE } from '../../src/testing/data/scans.ts'
import { eventually } from '../../src/testing/eventually.ts'

const FULL: Pace = { connections: 32, pauseMs: 0 }
const RECONNECT_MS = 20
/** Nobody waits longer than this for a scan. */
const RESPONSE_TIMEOUT_MS = 15_000
const REDIRECT = 302

const HEAD_END = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: *(\d+)/i

export interface Pace {
  connections: number
  /** Time on each connection between a response and the next scan. */
  pauseMs: number
}

/** What the scanners saw. */
export interface Seen {
  /** Scans that got a redirect. */
  acknowledged: number
  /** Measured only while the service was running. */
  perSecond: number
  /** Complete responses other than a redirect, and timeouts on an open connection. */
  notRedirected: number
  longestMs: number
}

/**
 * Scans one code after the other on many connections, by default without a pause. Every scan has a unique number. A connection that
 * breaks is opened again, until `stop` is called.
 */
export class Scanners {
  /** The numbers of the scans that got a redirect. */
  readonly acknowledged = new Set<number>()
  readonly #port: number
  readonly #slugs: readonly string[]
  readonly #pauseMs: number
  readonly ended: Promise<unknown>
  readonly #measured = { seconds: 0, scans: 0 }
  #numbers = 0
  #notRedirected = 0
  #longestMs = 0
  #isStopping = false

  constructor(port: number, slugs: readonly string[], { connections, pauseMs } = FULL) {
    this.#port = port
    this.#slugs = slugs
    this.#pauseMs = pauseMs
    this.ended = Promise.all(Array.from({ length: connections }, () => this.#scanUntilStopped()))
  }

  /** Waits until every code was redirected once. */
  async allCodesScanned(): Promise<void> {
    await eventually(() => this.#slugs.every((_, index) => this.acknowledged.has(index)))
  }

  async keepScanning(ms: number): Promise<void> {
    const before = this.acknowledged.size
    const startedMs = performance.now()
    await sleep(ms)
    this.#measured.seconds += (performance.now() - startedMs) / 1000
    this.#measured.scans += this.acknowledged.size - before
  }

  /** Waits for the last responses. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.ended
  }

  seen(): Seen {
    return {
      acknowledged: this.acknowledged.size,
      perSecond: this.#measured.scans / this.#measured.seconds,
      notRedirected: this.#notRedirected,
      longestMs: this.#longestMs,
    }
  }

  async #scanUntilStopped(): Promise<void> {
    while (!this.#isStopping) {
      await this.#scanUntilCut()
      if (!this.#isStopping) await sleep(RECONNECT_MS)
    }
  }

  #scanUntilCut(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
      let number = 0
      let sentAtMs = 0
      const next = () => {
        if (this.#isStopping) return void socket.end()
        number = this.#numbers++
        sentAtMs = performance.now()
        socket.write(this.#requestText(number))
      }
      onResponses(socket, (status) => {
        this.#longestMs = Math.max(this.#longestMs, performance.now() - sentAtMs)
        if (status === REDIRECT) this.acknowledged.add(number)
        else this.#notRedirected++
        if (this.#pauseMs === 0) next()
        else setTimeout(next, this.#pauseMs)
      })
      socket.setTimeout(RESPONSE_TIMEOUT_MS, () => {
        this.#notRedirected++
        socket.destroy()
      })
      socket.on('connect', next)
      socket.on('error', () => {})
      socket.on('close', () => resolve())
    })
  }

  /** Contains U+2028, which some parsers treat as a line break, so that journal and database must handle it. */
  #requestText(number: number): string {
    const slug = this.#slugs[number % this.#slugs.length]
    return `GET /${slug}?n=${number}&line=%E2%80%A8 HTTP/1.1\r\nhost: localhost:${this.#port}\r\nuser-agent: ${PHONE}\r\n\r\n`
  }
}

/** Calls `onResponse` for each complete response. */
function onResponses(socket: Socket, onResponse: (status: number) => void): void {
  let received = ''
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk
    const headEnd = received.indexOf(HEAD_END)
    if (headEnd === -1) return
    const length = Number(LENGTH.exec(received.slice(0, headEnd + 2))?.[1] ?? 0)
    if (received.length < headEnd + HEAD_END.length + length) return
    const status = Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 302'.length))
    received = ''
    onResponse(status)
  })
}
