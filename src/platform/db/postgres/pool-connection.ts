import { AbortedTransactionError, type CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely'
import type pg from 'pg'
import { meaningOfFailure, type ToFailure } from '../statements/run-without-result.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { GroupCommit } from './group-commit.ts'
import type { StatementNames } from './statement-names.ts'
import { type HeldStatement, SingleStatement, type Statement } from './statements.ts'
import { WITHOUT_STATEMENT_TIMEOUT } from './timeouts.ts'
import type { WatchedClient } from './watched-client.ts'

/** Those whose number of rows is the number of changes. */
const CHANGES: readonly string[] = ['INSERT', 'UPDATE', 'DELETE', 'MERGE']

/** More are not held back. The server can begin with them, and the main thread can do something else meanwhile. */
const HELD_ROWS_MAX = 100

const BEGIN = 'begin'

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
  readonly #groups: GroupCommit
  #inTransaction = false
  /** The transaction can be committed together with others of this organisation. */
  #orgId: string | undefined
  /** The first one is `begin` if nothing of the transaction has been sent. */
  #held: HeldStatement[] = []
  /** Why the transaction failed, if nobody waited for the statement. */
  #failure: unknown
  /** Whether its transaction could not be rolled back. */
  #isBroken = false

  constructor(
    client: pg.PoolClient & WatchedClient,
    names: StatementNames,
    observe: StatementObserver,
    groups: GroupCommit,
  ) {
    this.#client = client
    this.#names = names
    this.#observe = observe
    this.#groups = groups
  }

  begin(isolation: string): void {
    this.#inTransaction = true
    this.#orgId = undefined
    this.#hold(`${BEGIN}${isolation}`, [], unchanged)
  }

  /** Lets the transaction be committed together with others of the organisation. */
  commitTogether(orgId: string): void {
    this.#orgId = orgId
  }

  async commit(): Promise<void> {
    this.#inTransaction = false
    const [first, ...statements] = this.#held
    if (first?.text === BEGIN && statements.every(({ name }) => this.#client.hasPrepared(name))) {
      this.#held = []
      if (statements.length > 0) await this.#groups.run(this.#client, statements, this.#orgId)
      return
    }
    const { command } = await this.#send('commit', [])
    // PostgreSQL rolls back a failed transaction on commit, and reports no error.
    if (command !== 'COMMIT') throw this.#failure ?? new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false
    const hasBegun = !this.#held[0]?.text.startsWith(BEGIN)
    this.#held = []
    if (!hasBegun) return
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
    this.#held.push({ ...this.#toStatement(text, parameters), toFailure })
  }

  async #send(text: string, parameters: readonly unknown[], toFailure: ToFailure = unchanged): Promise<pg.QueryResult> {
    for (const held of this.#held) {
      this.#client.holdBack()
      this.#query(held).catch((error) => {
        this.#failure ??= held.toFailure(error)
      })
    }
    this.#held = []
    const response = this.#query(this.#toStatement(text, parameters))
    this.#client.sendHeld()
    try {
      return await response
    } catch (error) {
      // The failure of an earlier statement is the cause of this one.
      throw this.#failure ?? toFailure(error)
    }
  }

  #toStatement(text: string, parameters: readonly unknown[]): Statement {
    this.#observe(text, parameters)
    return this.#names.toStatement(text, parameters)
  }

  async #query(statement: Statement): Promise<pg.QueryResult> {
    if (statement.text === WITHOUT_STATEMENT_TIMEOUT) this.#client.liftLimit()
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>()
    const query = new SingleStatement(statement, (error, result) => (error ? reject(error) : resolve(result)))
    ;(this.#client as pg.Client).query(query)
    try {
      return await promise
    } catch (error) {
      throw toError(error)
    }
  }
}

const hasManyRows = ([only]: readonly unknown[]): boolean => Array.isArray(only) && only.length > HELD_ROWS_MAX
