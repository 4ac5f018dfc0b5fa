/**
 * A worker thread with one SQLite connection. Runs commands in order and replies to them. The writer has its own
 * thread because a commit waits for the disk, and slow reads have another, so that the main thread waits for neither.
 */
import { isMainThread, type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Tally } from '../statements/each-of.ts'
import { type CommitGate, passGate } from './commit-gate.ts'
import { connect } from './connect.ts'
import { describeFailure } from './failures.ts'
import { type RawResult, Statements } from './statements.ts'
import { DONE, type StatementOutcome, Transactions } from './transactions.ts'

export interface ThreadOptions {
  file: string
  mode: 'read' | 'write'
  /** Simulates a slow disk in tests. */
  commitGate: CommitGate | undefined
}

export interface ThreadData extends ThreadOptions {
  /** Where commands arrive. */
  port: MessagePort
}

interface Statement {
  sql: string
  parameters: readonly unknown[]
  /** Runs the statement once with each of these sets of parameters. JSON costs a third of a structured clone. */
  each: string | undefined
  tally: Tally | undefined
  /** How often it runs. */
  times: number
}

export type Command = { id: number } & (
  | ({ do: 'run alone' } & Statement)
  /** Runs in the transaction, which the first statement opens. A silent one has no reply: if it fails, so do the next ones. */
  | ({ do: 'run'; isSilent: boolean } & Statement)
  /**
   * Ends the open transaction. The reply comes when it is committed: at once, when there is nothing else to do, or after the
   * next transaction, which is about to come.
   */
  | { do: 'finish'; commit: 'now' | 'when idle' | 'after next' }
  /** Commits finished transactions, so that the next one does not join them. Has no reply. */
  | { do: 'commit' }
  | { do: 'rollback' }
  | { do: 'close' }
)

export type Reply = StatementOutcome & { id: number }

if (!isMainThread) serve(workerData as ThreadData)

function serve({ port, file, mode, commitGate }: ThreadData): void {
  const connection = connect(file, mode)
  const statements = new Statements(connection)
  let replies: Reply[] = []
  const reply = (id: number, outcome: StatementOutcome) => replies.push({ id, ...outcome })
  const transactions = new Transactions(connection, statements, {
    begin: mode === 'write' ? 'begin immediate' : 'begin',
    beforeCommit: () => {
      if (commitGate !== undefined) passGate(commitGate)
    },
    ended: reply,
  })

  const run = ({ sql, parameters, each, tally }: Statement): RawResult =>
    each === undefined ? statements.runRaw(sql, parameters) : statements.runEach(sql, JSON.parse(each), tally)

  const runAlone = (id: number, statement: Statement): StatementOutcome => {
    try {
      return { result: run(statement) }
    } catch (error) {
      return { failure: describeFailure(connection, error), statement: id }
    }
  }

  let expectsNext = false
  const execute = (command: Command): void => {
    const { id } = command
    expectsNext = false
    switch (command.do) {
      case 'run alone':
        transactions.commit()
        reply(id, runAlone(id, command))
        break
      case 'run': {
        const outcome = transactions.run(id, command.times, () => run(command))
        if (!command.isSilent) reply(id, outcome)
        break
      }
      case 'finish':
        transactions.finish(id)
        if (command.commit === 'now') transactions.commit()
        expectsNext = command.commit === 'after next'
        break
      case 'commit':
        transactions.commit()
        break
      case 'rollback':
        transactions.rollback()
        reply(id, DONE)
        break
      case 'close':
        transactions.commit()
        // The last connection to close copies the WAL into the database file, so that the file alone is complete.
        connection.close()
        reply(id, DONE)
        break
    }
  }

  const send = () => {
    if (replies.length > 0) port.postMessage(replies)
    replies = []
  }

  let waiting: NodeJS.Timeout | undefined
  const commitWhenIdle = () => {
    waiting = undefined
    if (connection.isOpen) transactions.commit()
    send()
  }

  port.on('message', (message: Command[]) => {
    clearTimeout(waiting)
    let commands: Command[] | undefined = message
    while (commands !== undefined) {
      for (const command of commands) execute(command)
      send()
      // What has arrived meanwhile can be committed together with what is finished.
      commands = receiveMessageOnPort(port)?.message
    }
    if (expectsNext) waiting = setTimeout(commitWhenIdle, transactions.waitMs)
    else commitWhenIdle()
  })
}
