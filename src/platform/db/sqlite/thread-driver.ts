import type { Driver } from 'kysely'
import { SECOND_MS } from '../../clock/index.ts'
import type { StatementObserver } from '../types.ts'
import type { ThreadOptions } from './thread.ts'
import { ThreadConnection } from './thread-connection.ts'

/** A thread that cannot open the database ends at once, and must not be started again and again. */
export const START_INTERVAL_MS = SECOND_MS

/**
 * The Kysely driver of a connection in a worker thread. Kysely queues the users of the single connection. If the thread
 * has ended, the next user starts another one.
 */
export class ThreadDriver implements Driver {
  readonly #options: ThreadOptions
  readonly #observe: StatementObserver
  #connection: ThreadConnection | undefined
  #startedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: ThreadOptions, observe: StatementObserver) {
    this.#options = options
    this.#observe = observe
  }

  async init(): Promise<void> {
    this.#start()
  }

  /** Never rejects, because Kysely would keep its queue locked. Statements on a connection that has ended fail instead. */
  async acquireConnection(): Promise<ThreadConnection> {
    const connection = this.#connection as ThreadConnection
    if (!connection.hasEnded || performance.now() - this.#startedAtMs < START_INTERVAL_MS) return connection
    try {
      return this.#start()
    } catch {
      return connection
    }
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    connection.begin()
  }

  commitTransaction(connection: ThreadConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: ThreadConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#connection?.close()
  }

  /** See `ThreadConnection`. */
  acknowledgeLater(...[how]: Parameters<ThreadConnection['acknowledgeLater']>): Promise<number> {
    return (this.#connection as ThreadConnection).acknowledgeLater(how)
  }

  takeReplies(): void {
    this.#connection?.takeReplies()
  }

  caughtUp(): Promise<void> {
    return (this.#connection as ThreadConnection).caughtUp()
  }

  #start(): ThreadConnection {
    this.#startedAtMs = performance.now()
    this.#connection = new ThreadConnection(this.#options, this.#observe)
    return this.#connection
  }
}
