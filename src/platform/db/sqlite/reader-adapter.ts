import type { DatabaseSync } from 'node:sqlite'
import { SqliteAdapter } from 'kysely'
import type { StatementObserver } from '../types.ts'
import { connect } from './connect.ts'
import { describeFailure, toError } from './failures.ts'
import { Statements } from './statements.ts'

/**
 * A read-only connection in this thread: a point read takes microseconds, less than a message to a thread.
 * Reads do not queue behind each other, because each is over before the next one starts.
 */
export class ReaderAdapter extends SqliteAdapter {
  readonly #connection: DatabaseSync
  readonly #statements: Statements
  readonly #observe: StatementObserver

  constructor(file: string, observe: StatementObserver) {
    super()
    this.#connection = connect(file, 'read')
    this.#statements = new Statements(this.#connection)
    this.#observe = observe
  }

  override get supportsMultipleConnections(): boolean {
    return true
  }

  run(sql: string, parameters: readonly unknown[]): unknown[] {
    this.#observe(sql, parameters)
    try {
      return this.#statements.run(sql, parameters).rows
    } catch (error) {
      throw toError(describeFailure(this.#connection, error))
    }
  }

  close(): void {
    this.#connection.close()
  }
}
