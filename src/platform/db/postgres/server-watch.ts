import pg from 'pg'
import { SECOND_MS } from '../../clock/index.ts'

/** Waiting is counted in ticks, so that time in which this process itself was blocked does not count. */
const TICK_MS = 250
export const toTicks = (ms: number): number => Math.ceil(ms / TICK_MS)

const PROBE_AFTER_TICKS = toTicks(SECOND_MS)
/** With the second before it, a request gets its 503 after about 3 s. */
const PROBE_TICKS = toTicks(2 * SECOND_MS)

/** A connection to watch. */
interface Connection {
  /** The tick since which a caller has been waiting for a response; undefined if nobody is waiting. */
  readonly waitingSince: number | undefined
  /** Whether the caller has been waiting for too long. */
  readonly isOverdue: boolean
  /** Whether the connection is idle and has had no response since this tick. */
  hasBeenIdleSince(tick: number): boolean
  /** Fails the running statement and all later ones at once. */
  disconnect(): void
}

/**
 * Notices that the server has stopped responding, and closes connections whose statement takes too long. A statement may
 * be slow, so silence alone proves nothing: a new connection shows whether the server responds.
 *
 * States:
 * - responding → probing: a caller has been waiting, and no connection has had a response for 1 s.
 * - probing → responding: any connection had a response, or the probe connected or was refused.
 * - probing → silent: the probe had no response for 2 s. All connections are closed and none is opened, so that every
 *   caller fails at once.
 * - silent → responding: a probe connected or was refused. There is a new one every second.
 */
export class ServerWatch {
  readonly #url: string
  readonly #connections = new Set<Connection>()
  readonly #timer: NodeJS.Timeout
  #tick = 0
  #silentTicks = 0
  #hasResponded = false
  #isSilent = false
  #probe: pg.Client | undefined

  constructor(url: string) {
    this.#url = url
    this.#timer = setInterval(() => this.#onTick(), TICK_MS)
    this.#timer.unref()
  }

  get tick(): number {
    return this.#tick
  }

  get isSilent(): boolean {
    return this.#isSilent
  }

  add(connection: Connection): void {
    this.#connections.add(connection)
  }

  remove(connection: Connection): void {
    this.#connections.delete(connection)
  }

  responded(): void {
    this.#hasResponded = true
  }

  /** Closes all connections. */
  close(): void {
    clearInterval(this.#timer)
    this.#endProbe()
    this.#disconnectAll()
  }

  #onTick(): void {
    this.#tick++
    let isWaiting = this.#isSilent
    for (const connection of this.#connections) {
      if (connection.waitingSince === undefined) continue
      isWaiting = true
      if (connection.isOverdue) this.#disconnectOverdue(connection, connection.waitingSince)
    }
    this.#silentTicks = isWaiting && !this.#hasResponded ? this.#silentTicks + 1 : 0
    this.#hasResponded = false
    if (this.#silentTicks === 0) this.#endProbe()
    else if (this.#isProbeDue()) this.#startProbe()
    else if (this.#silentTicks === PROBE_AFTER_TICKS + PROBE_TICKS) this.#becomeSilent()
  }

  /** Idle connections may be dead, too, for example after a firewall has restarted. Opening new ones costs little. */
  #disconnectOverdue(overdue: Connection, since: number): void {
    overdue.disconnect()
    for (const connection of this.#connections) if (connection.hasBeenIdleSince(since)) connection.disconnect()
  }

  #isProbeDue(): boolean {
    if (this.#isSilent) return this.#silentTicks % PROBE_AFTER_TICKS === 0
    return this.#silentTicks === PROBE_AFTER_TICKS
  }

  #becomeSilent(): void {
    this.#isSilent = true
    this.#disconnectAll()
  }

  #startProbe(): void {
    this.#endProbe()
    const probe = new pg.Client({ connectionString: this.#url })
    this.#probe = probe
    probe.on('error', () => {})
    const settled = () => {
      if (this.#probe !== probe) return
      this.#endProbe()
      this.#isSilent = false
      this.#hasResponded = true
    }
    probe.connect().then(settled, settled)
  }

  #endProbe(): void {
    const probe = this.#probe
    this.#probe = undefined
    probe?.connection.stream.destroy()
  }

  #disconnectAll(): void {
    for (const connection of this.#connections) connection.disconnect()
  }
}
