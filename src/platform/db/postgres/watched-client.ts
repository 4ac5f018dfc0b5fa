import pg from 'pg'
import { DatabaseUnavailable } from '../failures.ts'
import { type ServerWatch, toTicks } from './server-watch.ts'

export interface WatchedClientConfig extends pg.ClientConfig {
  watch: ServerWatch
  /** How long to wait for the response to a statement. Waiting for the connection counts, too. */
  responseMsMax: number
}

/**
 * A connection that is closed if the server does not respond in time. `query_timeout` of `pg` would leave it open, and
 * every later statement would wait behind the one without a response.
 */
export class WatchedClient extends pg.Client {
  readonly #watch: ServerWatch
  readonly #ticksMax: number
  #isLimited = true
  /** The tick since which a caller has been waiting for this connection. */
  #requestedAt: number | undefined
  /** The tick since which a caller has been waiting for a response. */
  #waitingSince: number | undefined
  #respondedAt = 0
  #heldBack = 0

  constructor(config: WatchedClientConfig) {
    super(config)
    this.#watch = config.watch
    this.#ticksMax = toTicks(config.responseMsMax)
    this.on('drain', () => {
      this.#waitingSince = undefined
      this.#respondedAt = this.#watch.tick
      this.#watch.responded()
    })
    this.on('end', () => this.#watch.remove(this))
    // A lost connection already fails its statement. Without a listener it would crash the process, too.
    this.on('error', () => {})
  }

  get isHeldBack(): boolean {
    return this.#heldBack > 0
  }

  get waitingSince(): number | undefined {
    return this.#waitingSince
  }

  get isOverdue(): boolean {
    return this.#isLimited && this.#watch.tick - (this.#waitingSince ?? this.#watch.tick) >= this.#ticksMax
  }

  hasBeenIdleSince(tick: number): boolean {
    return this.#waitingSince === undefined && this.#respondedAt <= tick
  }

  /** Called when the pool hands out the connection. */
  handedOut(requestedAt: number): void {
    this.#requestedAt = requestedAt
    this.#isLimited = true
  }

  /** Lifts the time limit until the connection is handed out again. */
  liftLimit(): void {
    this.#isLimited = false
  }

  /** One of several statements has its response. The wait for the next one begins. */
  responded(): void {
    this.#waitingSince = this.#watch.tick
    this.#watch.responded()
  }

  disconnect(): void {
    this.connection.stream.destroy()
  }

  /** Overrides both overloads; the pool passes a callback. The first statement ends the wait for the connection. */
  override connect(...callbacks: never[]): never {
    const [callback] = callbacks as unknown as [(error: Error) => void]
    if (this.#watch.isSilent) {
      process.nextTick(callback, new DatabaseUnavailable('PostgreSQL does not respond', undefined))
      return undefined as never
    }
    this.#watch.add(this)
    this.#waitingSince = this.#watch.tick
    return super.connect(callback) as never
  }

  /** Overrides all overloads. */
  override query(...statement: never[]): never {
    if (this.#heldBack === 0) this.#startWaiting()
    return super.query(...(statement as unknown as [string])) as never
  }

  /** Whether the server knows the statement under this name. */
  hasPrepared(name: string | undefined): boolean {
    const { parsedStatements } = this.connection as unknown as { parsedStatements: Record<string, string> }
    return name !== undefined && parsedStatements[name] !== undefined
  }

  /** The next statement is not sent before `sendHeld`. */
  holdBack(): void {
    this.#heldBack++
    this.connection.stream.cork()
  }

  sendHeld(): void {
    if (this.#heldBack > 0) this.#startWaiting()
    for (; this.#heldBack > 0; this.#heldBack--) this.connection.stream.uncork()
  }

  #startWaiting(): void {
    this.#waitingSince ??= this.#requestedAt ?? this.#watch.tick
    this.#requestedAt = undefined
  }
}
