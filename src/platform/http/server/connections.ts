import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Gauge } from 'prom-client'
import { SECOND_MS } from '../../clock/index.ts'
import { FailedAttempts } from '../../rate-limit/index.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { hasBody } from '../bodies/body-reader.ts'
import { Drain, isLong } from '../bodies/drain.ts'
import { addressBlock } from './address-block.ts'
import type { TrackedResponse } from './tracked-response.ts'

export interface ConnectionLimits {
  connectionsMax: number
  /** Applies to one block of addresses. Trusted proxies are exempt, because all their clients share one address. */
  connectionsPerAddress: number
  /** Bytes of responses that wait for their clients. */
  responseBytesMax: number
  /** A client that takes nothing of its response for this long is disconnected. Node may take twice as long. */
  writeTimeoutMs: number
  /** How long the rest of a body is read and dropped after the response, so that its sender gets to the response. */
  drainMs: number
}

/** The part of all connections on which requests other than scans may be in progress. Scans can use the rest. */
const OTHERS_SHARE = 0.8
/** Applies to one block of addresses. Each has up to 128 KiB of its body in memory. */
const UNREAD_BODIES_MAX = 32
/** After this many requests whose body nobody read, a connection is closed: its client sends what we do not want. */
const UNREAD_PER_CONNECTION_MAX = 10
/** Requests that a client may send before it has the response to the first one. */
const REQUESTS_PER_CONNECTION_MAX = 64
/**
 * After so many connections with too many requests, an address gets no new one for the rest of the minute. Node parses the
 * 64 KiB that have arrived on each of them and creates an error for every request in them, which takes 12 ms.
 */
const CUT_OFFS_PER_MINUTE = 3
/** How long a stopping server waits for slow readers. */
const STOP_MS = 5 * SECOND_MS

/** The connections of one block of addresses. */
interface Client {
  readonly block: string
  readonly isProxy: boolean
  readonly open: Set<Connection>
  /** Those with a response to a request whose long body nobody reads, in the order in which they got it. */
  readonly unread: Set<Connection>
  /** Those with a complete response that the client has not taken yet, in the order in which they began to wait. */
  readonly waiting: Set<Connection>
  waitingBytes: number
}

interface Connection {
  readonly socket: Socket
  readonly client: Client
  /** A value of `performance.now()`. Only valid without a request in progress. */
  idleSinceMs: number
  /** Requests in progress. More than one if the client does not wait for a response before its next request. */
  requests: number
  /** Whether one of them is not a scan. */
  hasOther: boolean
  /** How often nobody read the body of a request. */
  unreadBodies: number
  /** The long body that is being dropped. */
  dropped: IncomingMessage | undefined
  /** Whether its last response has begun. */
  isEnding: boolean
  /** Complete responses that the client has not taken yet. */
  waiting: number
  waitingBytes: number
}

declare module 'node:net' {
  interface Socket {
    /** Undefined for a connection that was refused or closed. */
    tracked?: Connection | undefined
  }
}

/**
 * Limits the open connections. A connection without a request in progress is idle. If a new connection exceeds a limit,
 * the one that has been idle for longest is closed. If none is idle, the new one is refused.
 */
export class Connections {
  readonly unreadBodies = new Drain()
  readonly #limits: ConnectionLimits
  readonly #isProxy: (address: string) => boolean
  readonly #refused: (limit: string) => void
  readonly #clients = new Map<string, Client>()
  readonly #open = new Set<Connection>()
  readonly #othersMax: number
  readonly #cutOffs = new FailedAttempts(CUT_OFFS_PER_MINUTE)
  #others = 0
  #waitingBytes = 0
  #isDraining = false
  #isStopping = false

  constructor(limits: ConnectionLimits, isProxy: (address: string) => boolean, refused: (limit: string) => void) {
    this.#limits = limits
    this.#isProxy = isProxy
    this.#refused = refused
    this.#othersMax = Math.max(1, Math.floor(limits.connectionsMax * OTHERS_SHARE))
  }

  /** Whether the server is about to stop. */
  get isDraining(): boolean {
    return this.#isDraining
  }

  get open(): number {
    return this.#open.size
  }

  /** The size of responses that wait for their clients. */
  get usedBytes(): number {
    return this.#waitingBytes
  }

  get bytesMax(): number {
    return this.#limits.responseBytesMax
  }

  onConnection(socket: Socket): void {
    const address = socket.remoteAddress
    const client = address === undefined ? undefined : this.#clientAt(address)
    if (client === undefined || this.#isStopping || !this.#makeRoom(client)) {
      socket.destroy()
      return
    }
    const idleSinceMs = performance.now()
    const connection: Connection = {
      socket,
      client,
      idleSinceMs,
      requests: 0,
      hasOther: false,
      unreadBodies: 0,
      dropped: undefined,
      isEnding: false,
      waiting: 0,
      waitingBytes: 0,
    }
    socket.tracked = connection
    socket.once('close', () => this.#forget(connection))
    this.#clients.set(client.block, client)
    client.open.add(connection)
    this.#open.add(connection)
  }

  /** The client has neither sent nor taken anything for a while. */
  onTimeout(socket: Socket): void {
    const isSlowReader = socket.writableLength > 0
    if (!isSlowReader && socket.tracked !== undefined && socket.tracked.requests > 0) return
    if (isSlowReader) this.#refused('slow_reader')
    socket.destroy()
  }

  /** Returns false if the request is not handled, because its connection is closed. */
  onRequest(response: TrackedResponse): boolean {
    const connection = response.req.socket.tracked
    if (connection === undefined) return false
    if (connection.isEnding) {
      // A client that waits for the response does not send another request. This one has sent thousands, perhaps.
      if (connection.unreadBodies > UNREAD_PER_CONNECTION_MAX) this.#cutOff(connection)
      return false
    }
    if (connection.requests >= REQUESTS_PER_CONNECTION_MAX) {
      this.#refused('requests_per_connection')
      this.#cutOff(connection)
      return false
    }
    connection.requests++
    response.observer = this
    return true
  }

  /** Returns false if a request that is not a scan must be refused, so that scans find room. */
  admitsOther({ req: { socket } }: TrackedResponse): boolean {
    const connection = socket.tracked
    if (connection === undefined || connection.hasOther) return true
    if (this.#others >= this.#othersMax) {
      this.#refused('requests')
      return false
    }
    connection.hasOther = true
    this.#others++
    return true
  }

  /** Returns whether the response is the last one of its connection. */
  onHead({ req }: TrackedResponse): boolean {
    const connection = req.socket.tracked
    if (connection === undefined) return this.#isDraining
    // A proxy sends the requests of many clients.
    if (hasUnreadBody(req) && !connection.client.isProxy) connection.unreadBodies++
    connection.isEnding ||= this.#isDraining || connection.unreadBodies > UNREAD_PER_CONNECTION_MAX
    return connection.isEnding
  }

  onEnding({ req }: TrackedResponse): void {
    const connection = req.socket.tracked
    if (!hasUnreadBody(req) || !isLong(req) || connection === undefined) return
    this.unreadBodies.add(req)
    const { unread, isProxy } = connection.client
    unread.add(connection)
    connection.dropped = req
    req.once('close', () => {
      // The next request on this connection may have begun meanwhile.
      if (connection.dropped !== req) return
      unread.delete(connection)
      connection.dropped = undefined
    })
    const [first] = unread
    if (isProxy || unread.size <= UNREAD_BODIES_MAX || first === undefined) return
    this.#refused('unread_bodies')
    this.#close(first)
  }

  onWaiting(response: TrackedResponse): void {
    const { socket } = response.req
    socket.setTimeout(this.#limits.writeTimeoutMs)
    const connection = socket.tracked
    // A response that is written in pieces has little in memory.
    if (connection === undefined || !response.writableEnded) return
    response.waitingBytes = response.writableLength
    connection.waiting++
    connection.client.waiting.add(connection)
    this.#changeWaitingBytes(connection, response.waitingBytes)
    while (this.#waitingBytes > this.#limits.responseBytesMax && this.#closeSlowReader()) {
      this.#refused('response_bytes')
    }
  }

  onTaken(response: TrackedResponse): void {
    const { req, waitingBytes } = response
    const connection = req.socket.tracked
    if (connection === undefined) return
    if (waitingBytes !== undefined) {
      this.#changeWaitingBytes(connection, -waitingBytes)
      if (--connection.waiting === 0) connection.client.waiting.delete(connection)
    }
    if (--connection.requests > 0) return
    connection.idleSinceMs = performance.now()
    this.#leaveOthers(connection)
    if (this.#isStopping) this.#close(connection)
    else if (!req.complete) setTimeout(closeUnlessComplete, this.#limits.drainMs, req).unref()
  }

  /** From now on, every response is the last one of its connection, so that a proxy keeps none that would end with the server. */
  drain(): void {
    this.#isDraining = true
  }

  /** Closes idle connections at once, others after their response, and slow readers after a while. */
  stop(): void {
    this.drain()
    this.#isStopping = true
    for (const connection of this.#open) if (connection.requests === 0) this.#close(connection)
    const closeSlowReaders = () => {
      while (this.#closeSlowReader());
    }
    setTimeout(closeSlowReaders, STOP_MS).unref()
  }

  #clientAt(address: string): Client {
    const isProxy = this.#isProxy(address)
    const block = isProxy ? address : addressBlock(address)
    return (
      this.#clients.get(block) ?? {
        block,
        isProxy,
        open: new Set(),
        unread: new Set(),
        waiting: new Set(),
        waitingBytes: 0,
      }
    )
  }

  #makeRoom(client: Client): boolean {
    if (this.#cutOffs.isOver(client.block, performance.now())) {
      this.#refused('connections_cut_off')
      return false
    }
    if (!client.isProxy && client.open.size >= this.#limits.connectionsPerAddress) {
      this.#refused('connections_per_address')
      if (!this.#closeIdle(client.open)) return false
    }
    if (this.#open.size < this.#limits.connectionsMax) return true
    this.#refused('connections')
    return this.#closeIdle(this.#open) || this.#closeSlowReader()
  }

  /** Searches all of them. Keeping them in order would cost more: requests are much more frequent. */
  #closeIdle(connections: Set<Connection>): boolean {
    let oldest: Connection | undefined
    for (const connection of connections) {
      if (connection.requests > 0) continue
      if (oldest === undefined || connection.idleSinceMs < oldest.idleSinceMs) oldest = connection
    }
    if (oldest !== undefined) this.#close(oldest)
    return oldest !== undefined
  }

  /** Chooses the client with the most bytes, so that slow readers elsewhere are not affected by its downloads. */
  #closeSlowReader(): boolean {
    let largest: Client | undefined
    for (const client of this.#clients.values()) {
      if (client.waiting.size > 0 && client.waitingBytes >= (largest?.waitingBytes ?? 0)) largest = client
    }
    const [longest] = largest?.waiting ?? []
    if (longest !== undefined) this.#close(longest)
    return longest !== undefined
  }

  #close(connection: Connection): void {
    this.#forget(connection)
    connection.socket.destroy()
  }

  /** Closes a connection on which more requests have arrived than any honest client sends at once. */
  #cutOff(connection: Connection): void {
    this.#cutOffs.count(connection.client.block, performance.now())
    this.#close(connection)
  }

  /** A client that leaves gets here, too, with responses that it will never take. */
  #forget(connection: Connection): void {
    const { socket, client } = connection
    if (socket.tracked === undefined) return
    socket.tracked = undefined
    this.#open.delete(connection)
    client.open.delete(connection)
    if (client.open.size === 0) this.#clients.delete(client.block)
    client.unread.delete(connection)
    if (connection.dropped !== undefined) this.unreadBodies.forget(connection.dropped)
    client.waiting.delete(connection)
    this.#changeWaitingBytes(connection, -connection.waitingBytes)
    this.#leaveOthers(connection)
  }

  #leaveOthers(connection: Connection): void {
    if (connection.hasOther) this.#others--
    connection.hasOther = false
  }

  #changeWaitingBytes(connection: Connection, bytes: number): void {
    connection.waitingBytes += bytes
    connection.client.waitingBytes += bytes
    this.#waitingBytes += bytes
  }
}

const hasUnreadBody = (request: IncomingMessage): boolean =>
  !request.complete && hasBody(request) && request.headers['content-length'] !== '0'

function closeUnlessComplete({ complete, socket }: IncomingMessage): void {
  if (!complete) socket.destroy()
}

/** Shows the connections of one server in the metrics. */
export function watchConnections(connections: Connections, metrics: Metrics): void {
  metrics.watchBudget('response_bytes', connections)
  metrics.watchQueue('unread_bodies', connections.unreadBodies)
  new Gauge({
    name: 'waymark_connections',
    help: 'Open connections.',
    registers: [metrics.registry],
    collect() {
      this.set(connections.open)
    },
  })
}
