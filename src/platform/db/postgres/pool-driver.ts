import type { Driver, TransactionSettings } from 'kysely'
import type pg from 'pg'
import { DatabaseUnavailable } from '../failures.ts'
import type { StatementObserver } from '../types.ts'
import { GroupCommit } from './group-commit.ts'
import { PoolConnection } from './pool-connection.ts'
import type { ServerWatch } from './server-watch.ts'
import type { StatementNames } from './statement-names.ts'
import type { WatchedClient } from './watched-client.ts'

/** Callers that wait for a connection. Beyond this, a caller fails at once. */
const WAITING_MAX = 1000

/** The Kysely driver of a pool of connections. */
export class PoolDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #watch: ServerWatch
  readonly #observe: StatementObserver
  readonly #names: StatementNames
  readonly #groups: GroupCommit
  readonly #connections = new WeakMap<pg.PoolClient, PoolConnection>()

  constructor(pool: pg.Pool, watch: ServerWatch, names: StatementNames, observe: StatementObserver) {
    this.#pool = pool
    this.#watch = watch
    this.#names = names
    this.#groups = new GroupCommit(names)
    this.#observe = observe
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PoolConnection> {
    if (this.#pool.waitingCount >= WAITING_MAX) {
      throw new DatabaseUnavailable('too many callers wait for a connection to PostgreSQL', undefined)
    }
    const requestedAt = this.#watch.tick
    try {
      const client = (await this.#pool.connect()) as pg.PoolClient & WatchedClient
      client.handedOut(requestedAt)
      const connection =
        this.#connections.get(client) ?? new PoolConnection(client, this.#names, this.#observe, this.#groups)
      this.#connections.set(client, connection)
      return connection
    } catch (error) {
      throw new DatabaseUnavailable((error as Error).message, error)
    }
  }

  async beginTransaction(
    connection: PoolConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    connection.begin(`${level}${accessMode ? ` ${accessMode}` : ''}`)
  }

  commitTransaction(connection: PoolConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: PoolConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(connection: PoolConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}
