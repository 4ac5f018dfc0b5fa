import type { DatabaseSync } from 'node:sqlite'
import { SqliteAdapter } from 'kysely'
import type { DirectReads } from '../statements/compiled.ts'
import type { StatementObserver } from '../types.ts'
import { connect } from './connect.ts'
import { describeFailure, toError } from './failures.ts'
import { Statements } from './statements.ts'

/**
 * A read-only connection on this thread: a point read takes microseconds, less than a message to another thread.
 * Reads are synchronous, so they never queue.
 *
 * All reads of one event loop tick share a snapshot: acquiring and releasing its locks costs as much as a point read.
 * An acknowledged write ends the snapshot, so that a caller reads its own writes.
 */
export class ReaderAdapter extends SqliteAdapter implements DirectReads {
  readonly #connection: DatabaseSync
  readonly #statements: Statements
  readonly #observe: StatementObserver
  #hasSnapshot = false
  readonly #dropSnapshot = () => this.refresh()

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
      if (!this.#hasSnapshot) {
        this.#statements.run('begin', [])
        this.#hasSnapshot = true
        setImmediate(this.#dropSnapshot)
      }
      return this.#statements.run(sql, parameters).rows
    } catch (error) {
      throw toError(describeFailure(this.#connection, error))
    }
  }

  /** Ends the snapshot, so that the next read sees all commits. */
  refresh(): void {
    if (!this.#hasSnapshot) return
    this.#statements.run('commit', [])
    this.#hasSnapshot = false
  }

  close(): void {
    this.refresh()
    this.#connection.close()
  }
}
