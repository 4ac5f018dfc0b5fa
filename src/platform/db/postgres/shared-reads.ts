import { CompiledQuery, PostgresAdapter } from 'kysely'
import type pg from 'pg'
import type { DirectReads } from '../statements/compiled.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { PoolDriver } from './pool-driver.ts'
import type { StatementNames } from './statement-names.ts'
import { SingleStatement, type Statement } from './statements.ts'
import type { WatchedClient } from './watched-client.ts'

/** Two, so that reads go on while one of them waits for a slow read. */
export const SHARED_CONNECTIONS = 2
/** A connection that has not responded for longer gets no more reads until it does. */
const SLOW_MS = 20
/** How long a read may keep those waiting that were sent behind it. Then it begins again on a connection of its own. */
export const SHARED_STATEMENT_MS_MAX = 250
const STATEMENT_TIMEOUT = '57014'
/** Limits how many reads a lost connection fails, and how long the last of them waits. */
const WAITING_MAX = 50

/**
 * Compiled reads of all requests share a few connections: those of one turn of the event loop are one message, which costs less
 * than a connection for each. If both connections are busy with something slow, a read takes one of the pool.
 */
export class SharedReads extends PostgresAdapter implements DirectReads {
  readonly #names: StatementNames
  readonly #observe: StatementObserver
  /** Hands out connections of the pool. */
  readonly #driver: PoolDriver
  readonly #connections: SharedConnection[]

  constructor(pool: pg.Pool, names: StatementNames, observe: StatementObserver, driver: PoolDriver) {
    super()
    this.#names = names
    this.#observe = observe
    this.#driver = driver
    this.#connections = Array.from({ length: SHARED_CONNECTIONS }, () => new SharedConnection(pool))
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const nowMs = performance.now()
    const free = this.#connections.filter((connection) => connection.isFree(nowMs))
    const [first, other] = free
    if (first === undefined) return this.#runAlone(sql, parameters)
    const connection = other !== undefined && other.waiting < first.waiting ? other : first
    this.#observe(sql, parameters)
    try {
      return await connection.run(this.#names.toStatement(sql, parameters), nowMs)
    } catch (error) {
      if ((error as pg.DatabaseError).code === STATEMENT_TIMEOUT) return this.#runAlone(sql, parameters)
      throw toError(error)
    }
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  async #runAlone(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
    const connection = await this.#driver.acquireConnection()
    try {
      return (await connection.executeQuery(CompiledQuery.raw(sql, [...parameters]))).rows
    } finally {
      connection.release()
    }
  }
}

class SharedConnection {
  readonly #pool: pg.Pool
  #client: (pg.PoolClient & WatchedClient) | undefined
  #isOpening = false
  #isClosed = false
  /** Since when the next response is awaited. */
  #awaitedSinceMs = 0
  /** Reads without a response. */
  waiting = 0

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  isFree(nowMs: number): boolean {
    if (this.#client === undefined) {
      void this.#open()
      return false
    }
    return this.waiting === 0 || (this.waiting < WAITING_MAX && nowMs - this.#awaitedSinceMs < SLOW_MS)
  }

  run(statement: Statement, nowMs: number): Promise<unknown[]> {
    const client = this.#client as pg.PoolClient & WatchedClient
    if (this.waiting++ === 0) this.#awaitedSinceMs = nowMs
    if (!client.isHeldBack) {
      client.holdBack()
      setImmediate(() => client.sendHeld())
    }
    return new Promise((resolve, reject) => {
      const query = new SingleStatement(statement, (error, result) => {
        this.waiting--
        this.#awaitedSinceMs = performance.now()
        client.responded()
        if (error) reject(error)
        else resolve(result.rows)
      })
      ;(client as pg.Client).query(query)
    })
  }

  close(): void {
    this.#isClosed = true
    this.#forget()
  }

  async #open(): Promise<void> {
    if (this.#isOpening || this.#isClosed) return
    this.#isOpening = true
    try {
      const client = (await this.#pool.connect()) as pg.PoolClient & WatchedClient
      this.#client = client
      client.once('end', () => this.#forget())
      if (this.#isClosed) this.#forget()
    } catch {
      // The next read tries again. This one learns from the pool why there is no connection.
    }
    this.#isOpening = false
  }

  #forget(): void {
    const client = this.#client
    this.#client = undefined
    client?.release(true)
  }
}
