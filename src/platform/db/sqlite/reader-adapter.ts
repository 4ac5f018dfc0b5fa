import type { DatabaseSync } from 'node:sqlite'
import { SqliteAdapter } from 'kysely'
import type { StatementObserver } from '../types.ts'
import { connect } from './connect.ts'
import { describeFailure, toError } from './failures.ts'
import { Statements } from './statements.ts'

/**
 * A read-only connection in this thread: a point read takes microseconds, less than a message to a thread.
 * Reads do not queue behind each other, because each is over before the next one starts.
 *
 * What is read in one turn of the event loop is read from one snapshot: taking and dropping the locks of one
 * costs as much as a point read. A write that was acknowledged ends the snapshot, so that whoever wrote reads
 * what they wrote.
 */
export class ReaderAdapter extends SqliteAdapter {
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

  /** The next read sees everything that is committed by then. */
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
