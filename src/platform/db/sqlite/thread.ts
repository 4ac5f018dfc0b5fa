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
      /** Instead of the parameters: the statement is run once with each of these. As JSON, a third of a clone's cost. */
      each: string | undefined
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

  const commit = (): StatementResult => {
    if (commitDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, commitDelayMs)
    return statements.run('commit', [])
  }

  /** Many runs of one statement are a transaction of their own, where they are not part of one. */
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
        return connection.isTransaction ? commit() : NOTHING
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
