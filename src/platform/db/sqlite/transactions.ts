import type { DatabaseSync } from 'node:sqlite'
import { describeFailure, type SqliteFailure, TOO_LARGE_TO_JOIN } from './failures.ts'
import type { RawResult, Statements } from './statements.ts'

/** How long a finished transaction waits for others that it can be committed with: about as long as a commit takes. */
const WAIT_MS = { min: 2, max: 50 }

/** With each statement of a savepoint, SQLite goes through all that the savepoint has changed. */
export const JOINED_STATEMENTS_MAX = 200

/** Why a command failed, and the id of the statement that was the cause. */
interface Failed {
  failure: SqliteFailure
  statement: number
}

export type StatementOutcome = { result: RawResult } | Failed

export const DONE: StatementOutcome = { result: { columns: [], values: [], changes: 0 } }

interface Options {
  begin: 'begin' | 'begin immediate'
  beforeCommit(): void
  /** Called with the id that was passed to `finish`. The result says how long the transaction was open. */
  ended(id: number, outcome: StatementOutcome): void
}

/**
 * The transactions of a connection. They run one after another. Those that come before the first one is committed join it,
 * as savepoints of one SQLite transaction, so that one commit, and one wait for the disk, serves several of them. None has
 * ended before that commit. If the commit fails, all of them fail. A transaction that fails before only loses its own
 * changes.
 */
export class Transactions {
  readonly #connection: DatabaseSync
  readonly #statements: Statements
  readonly #options: Options
  #isOpen = false
  /** How many statements of the open transaction have run in a savepoint. Undefined if it has none. */
  #joinedStatements: number | undefined
  /** Set when a statement failed: as on PostgreSQL, the open transaction can then only be rolled back. */
  #failed: Failed | undefined
  #openedAtMs = 0
  /** Transactions that wait for the commit, with how long each was open. */
  #finished: { id: number; openMs: number }[] = []
  #finishedSinceMs = 0
  #commitMs = 0

  constructor(connection: DatabaseSync, statements: Statements, options: Options) {
    this.#connection = connection
    this.#statements = statements
    this.#options = options
  }

  /** Runs a statement in the open transaction, once or several times. The first statement opens it. */
  run(id: number, times: number, statement: () => RawResult): StatementOutcome {
    if (this.#failed !== undefined) return this.#failed
    try {
      this.#open()
      this.#countJoined(times)
      return { result: statement() }
    } catch (error) {
      this.#failed = { failure: describeFailure(this.#connection, error), statement: id }
      // After some failures, such as a full disk, SQLite itself rolls back everything.
      if (!this.#connection.isTransaction) this.#end({ ...this.#failed, statement: 0 })
      return this.#failed
    }
  }

  /** How long finished transactions may wait for the next one. */
  get waitMs(): number {
    return Math.min(WAIT_MS.max, Math.max(WAIT_MS.min, this.#commitMs))
  }

  /** The open transaction is complete. */
  finish(id: number): void {
    const failed = this.#failed
    if (failed !== undefined || !this.#isOpen) {
      this.rollback()
      this.#options.ended(id, failed ?? DONE)
      return
    }
    if (this.#joinedStatements !== undefined) this.#statements.run('release one', [])
    this.#isOpen = false
    const nowMs = performance.now()
    if (this.#finished.length === 0) this.#finishedSinceMs = nowMs
    this.#finished.push({ id, openMs: nowMs - this.#openedAtMs })
    if (nowMs - this.#finishedSinceMs > this.waitMs) this.commit()
  }

  rollback(): void {
    if (this.#isOpen && this.#connection.isTransaction) {
      if (this.#joinedStatements === undefined) this.#statements.run('rollback', [])
      else {
        this.#statements.run('rollback to one', [])
        this.#statements.run('release one', [])
      }
    }
    this.#isOpen = false
    this.#failed = undefined
  }

  /** Commits the finished transactions, unless another one is open. */
  commit(): void {
    if (this.#isOpen || !this.#connection.isTransaction) return
    const startedAtMs = performance.now()
    try {
      this.#options.beforeCommit()
      this.#statements.run('commit', [])
      this.#commitMs = performance.now() - startedAtMs
      this.#end(undefined)
    } catch (error) {
      const failure = describeFailure(this.#connection, error)
      if (this.#connection.isTransaction) this.#statements.run('rollback', [])
      this.#end({ failure, statement: 0 })
    }
  }

  #open(): void {
    if (this.#isOpen) return
    const joins = this.#connection.isTransaction
    this.#statements.run(joins ? 'savepoint one' : this.#options.begin, [])
    this.#joinedStatements = joins ? 0 : undefined
    this.#isOpen = true
    this.#openedAtMs = performance.now()
  }

  #countJoined(times: number): void {
    if (this.#joinedStatements === undefined) return
    this.#joinedStatements += times
    if (this.#joinedStatements > JOINED_STATEMENTS_MAX) throw Object.assign(new Error(), { errcode: TOO_LARGE_TO_JOIN })
  }

  #end(failed: Failed | undefined): void {
    for (const { id, openMs } of this.#finished) {
      this.#options.ended(
        id,
        failed ?? { result: { columns: [{ name: 'openMs', conversion: undefined }], values: [[openMs]], changes: 0 } },
      )
    }
    this.#finished = []
  }
}
