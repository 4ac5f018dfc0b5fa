/**
 * A thread with one SQLite connection. It runs the statements it is sent, in order, and answers each.
 * The writer has one of its own because a commit waits for the disk, and long reads have one because they
 * take long; the thread that answers requests waits for neither.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connect.ts'
import { describeFailure, type SqliteFailure } from './failures.ts'
import { type StatementResult, Statements } from './statements.ts'

export interface ThreadOptions {
  file: string
  mode: 'read' | 'write'
  /** Plays a slow disk in tests: the thread sleeps this long before each commit. */
  commitDelayMs: number
}

export type Command =
  /** Within a transaction BEGIN comes with its first statement, because each message takes time. */
  | {
      id: number
      do: 'run'
      sql: string
      parameters: readonly unknown[]
      /** Instead of the parameters: the statement is run once with each of these. */
      each: readonly (readonly unknown[])[] | undefined
      inTransaction: boolean
    }
  | { id: number; do: 'commit' | 'rollback' | 'close' }

export type Answer = { id: number; result: StatementResult } | { id: number; failure: SqliteFailure }

const NOTHING: StatementResult = { rows: [], changes: 0 }

if (parentPort !== null) serve(parentPort, workerData as ThreadOptions)

function serve(port: NonNullable<typeof parentPort>, { file, mode, commitDelayMs }: ThreadOptions): void {
  const connection = connect(file, mode)
  const statements = new Statements(connection)
  /** As on PostgreSQL, a transaction in which a statement failed can only be rolled back. */
  let aborted: SqliteFailure | undefined

  const execute = (command: Command): StatementResult => {
    switch (command.do) {
      case 'run':
        if (command.inTransaction && !connection.isTransaction) {
          statements.run(mode === 'write' ? 'begin immediate' : 'begin', [])
        }
        return command.each === undefined
          ? statements.run(command.sql, command.parameters)
          : statements.runEach(command.sql, command.each)
      case 'commit':
        if (!connection.isTransaction) return NOTHING
        if (commitDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, commitDelayMs)
        return statements.run('commit', [])
      case 'rollback':
        aborted = undefined
        return connection.isTransaction ? statements.run('rollback', []) : NOTHING
      case 'close':
        // The last one to close brings the log into the database file, so that the file alone is whole.
        connection.close()
        return NOTHING
    }
  }

  port.on('message', (command: Command) => {
    if (aborted !== undefined && (command.do === 'run' || command.do === 'commit')) {
      port.postMessage({ id: command.id, failure: aborted } satisfies Answer)
      return
    }
    try {
      port.postMessage({ id: command.id, result: execute(command) } satisfies Answer)
    } catch (error) {
      const failure = describeFailure(connection, error)
      if (command.do === 'run' && command.inTransaction) aborted = failure
      port.postMessage({ id: command.id, failure } satisfies Answer)
    }
  })
}
