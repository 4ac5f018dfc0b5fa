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
  | { id: number; do: 'run'; sql: string; parameters: readonly unknown[] }
  | { id: number; do: 'begin' | 'commit' | 'rollback' | 'close' }

export type Answer = { id: number; result: StatementResult } | { id: number; failure: SqliteFailure }

const NOTHING: StatementResult = { rows: [], changes: 0 }

if (parentPort !== null) serve(parentPort, workerData as ThreadOptions)

function serve(port: NonNullable<typeof parentPort>, { file, mode, commitDelayMs }: ThreadOptions): void {
  const connection = connect(file, mode)
  const statements = new Statements(connection)
  /** Set when BEGIN failed: its sender does not wait for it, so what follows must not run on its own. */
  let failedBegin: SqliteFailure | undefined

  const execute = (command: Command): StatementResult => {
    switch (command.do) {
      case 'run':
        return statements.run(command.sql, command.parameters)
      case 'begin':
        return statements.run(mode === 'write' ? 'begin immediate' : 'begin', [])
      case 'commit':
        if (commitDelayMs > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, commitDelayMs)
        return statements.run('commit', [])
      case 'rollback':
        return connection.isTransaction ? statements.run('rollback', []) : NOTHING
      case 'close':
        // The last one to close brings the log into the database file, so that the file alone is whole.
        connection.close()
        return NOTHING
    }
  }

  port.on('message', (command: Command) => {
    if (failedBegin !== undefined && command.do !== 'rollback') {
      port.postMessage({ id: command.id, failure: failedBegin } satisfies Answer)
      return
    }
    failedBegin = undefined
    try {
      port.postMessage({ id: command.id, result: execute(command) } satisfies Answer)
    } catch (error) {
      const failure = describeFailure(connection, error)
      if (command.do === 'begin') failedBegin = failure
      port.postMessage({ id: command.id, failure } satisfies Answer)
    }
  })
}
