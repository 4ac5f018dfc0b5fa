import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type pg from 'pg'
import { meaningOfFailure, type ToFailure } from '../run-without-result.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { StatementNames } from './statement-names.ts'
import { WITHOUT_STATEMENT_TIMEOUT } from './timeouts.ts'
import type { WatchedClient } from './watched-client.ts'

/** Those whose number of rows is the number of changes. */
const CHANGES: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** More are not held back. The server can begin with them, and the main thread can do something else meanwhile. */
const HELD_ROWS_MAX = 100

const unchanged: ToFailure = (error) => error

/**
 * A connection of a pool. In a transaction, statements whose result nobody needs are held back, and sent together with the
 * next one: one message instead of several, and no wait for each response. If one of them fails, so do all later ones of
 * the transaction, and its commit.
 */
export class PoolConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient & WatchedClient
  readonly #names: StatementNames
  readonly #observe: StatementObserver
  #inTransaction = false
  /** Why the transaction failed, if nobody waited for the statement. */
  #failure: unknown
  /** Whether its transaction could not be rolled back. */
  #isBroken = false

  constructor(client: pg.PoolClient & WatchedClient, names: StatementNames, observe: StatementObserver) {
    this.#client = client
    this.#names = names
    this.#observe = observe
  }

  begin(text: string): void {
    this.#inTransaction = true
    this.#hold(text, [], unchanged)
  }

  async commit(): Promise<void> {
    this.#inTransaction = false
    const { command } = await this.#send('commit', [])
    // PostgreSQL rolls back a failed transaction on commit, and reports no error.
    if (command !== 'COMMIT') throw this.#failure ?? new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false
    this.#isBroken = true
    await this.#send('rollback', [])
    this.#isBroken = false
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    const toFailure = meaningOfFailure(query)
    if (this.#inTransaction && toFailure !== undefined && !hasManyRows(parameters)) {
      this.#hold(sql, parameters, toFailure)
      return { rows: [] }
    }
    const { command, rowCount, rows } = await this.#send(sql, parameters, toFailure)
    if (!CHANGES.includes(command)) return { rows: rows as R[] }
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  streamQuery(): never {
    throw new Error('streaming is not supported: read a page at a time')
  }

  release(): void {
    this.#failure = undefined
    this.#client.release(this.#isBroken)
  }

  #hold(text: string, parameters: readonly unknown[], toFailure: ToFailure): void {
    this.#client.holdBack()
    this.#query(text, parameters).catch((error) => {
      this.#failure ??= toFailure(error)
    })
  }

  async #send(text: string, parameters: readonly unknown[], toFailure: ToFailure = unchanged): Promise<pg.QueryResult> {
    const response = this.#query(text, parameters)
    this.#client.sendHeld()
    try {
      return await response
    } catch (error) {
      // The failure of an earlier statement is the cause of this one.
      throw this.#failure ?? toFailure(error)
    }
  }

  async #query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    this.#observe(text, parameters)
    if (text === WITHOUT_STATEMENT_TIMEOUT) this.#client.liftLimit()
    const name = this.#names.of(text)
    const values = parameters.map(toPostgres)
    try {
      return await (this.#client as pg.Client).query(name === undefined ? { text, values } : { name, text, values })
    } catch (error) {
      throw toError(error)
    }
  }
}

const hasManyRows = ([only]: readonly unknown[]): boolean => Array.isArray(only) && only.length > HELD_ROWS_MAX

/** `pg` would send a JavaScript array as a PostgreSQL array. Our arrays are always JSON. */
const toPostgres = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? JSON.stringify(value) : value
