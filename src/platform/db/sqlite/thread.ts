/**
 * A worker thread with one SQLite connection. Runs statements in order and replies to each. The writer has its own
 * thread because a commit waits for the disk, and slow reads have another, so that the main thread waits for neither.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { connect } from './connect.ts'
import { describeFailure, type SqliteFailure } from './failures.ts'
import { type StatementResult, Statements } from './statements.ts'

export interface ThreadOptions {
  file: string
  mode: 'read' | 'write'
  /** Simulates a slow disk in tests: the thread sleeps this long before each commit. */
  commitDelayMs: number
}

export type Command =
  /** The first statement of a transaction also runs BEGIN, which saves a message. */
  | {
      id: number
      do: 'run'
      sql: string
      parameters: readonly unknown[]
      /** Runs the statement once with each of these sets of parameters. JSON costs a third of a structured clone. */
      each: string | undefined
      inTransaction: boolean
    }
  | { id: number; do: 'commit' | 'rollback' | 'close' }

export type Reply = { id: number; result: StatementResult } | { id: number; failure: SqliteFailure }

const EMPTY: StatementResult = { rows: [], changes: 0 }

if (parentPort !== null) serve(parentPort, workerData as ThreadOptions)

function serve(port: NonNullable<typeof parentPort>, { file, mode, commitDelayMs }: ThreadOptions): void {
  const connection = connect(file, mode)
  const statements = new Statements(connection)
  /** Set when a statement failed: as on PostgreSQL, the transaction can then only be rolled back. */
  let aborted: SqliteFailure | undefined

  const commit = (): StatementResult => {
    if (commitDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, commitDelayMs)
    return statements.run('commit', [])
  }

  /** Wraps the runs in a transaction unless one is open. */
  const runEach = (sql: string, each: unknown[][]): StatementResult => {
    if (connection.isTransaction) return statements.runEach(sql, each)
    statements.run('begin immediate', [])
    try {
      const result = statements.runEach(sql, each)
      commit()
      return result
    } catch (error) {
      if (connection.isTransaction) statements.run('rollback', [])
      throw error
    }
  }

  const execute = (command: Command): StatementResult => {
    switch (command.do) {
      case 'run':
        if (command.inTransaction && !connection.isTransaction) {
          statements.run(mode === 'write' ? 'begin immediate' : 'begin', [])
        }
        if (command.each === undefined) return statements.run(command.sql, command.parameters)
        return runEach(command.sql, JSON.parse(command.each))
      case 'commit':
        return connection.isTransaction ? commit() : EMPTY
      case 'rollback':
        aborted = undefined
        return connection.isTransaction ? statements.run('rollback', []) : EMPTY
      case 'close':
        // The last connection to close copies the WAL into the database file, so that the file alone is complete.
        connection.close()
        return EMPTY
    }
  }

  port.on('message', (command: Command) => {
    if (aborted !== undefined && (command.do === 'run' || command.do === 'commit')) {
      port.postMessage({ id: command.id, failure: aborted } satisfies Reply)
      return
    }
    try {
      port.postMessage({ id: command.id, result: execute(command) } satisfies Reply)
    } catch (error) {
      const failure = describeFailure(connection, error)
      if (command.do === 'run' && command.inTransaction) aborted = failure
      port.postMessage({ id: command.id, failure } satisfies Reply)
    }
  })
}
