import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { EachOf } from '../statements/each-of.ts'
import { meaningOfFailure } from '../statements/run-without-result.ts'
import type { StatementObserver } from '../types.ts'
import type { StatementResult } from './statements.ts'
import type { ThreadOptions } from './thread.ts'
import { ThreadChannel } from './thread-channel.ts'
import { JOINED_STATEMENTS_MAX } from './transactions.ts'

interface Transaction {
  hasStarted: boolean
  grouping: Grouping | undefined
}

/** How a transaction is committed together with others. */
interface Grouping {
  /** Not together with those before and after it. */
  isSeparate: boolean
  /** Whether another transaction follows at once. */
  hasNext: () => boolean
  durable: PromiseWithResolvers<number>
}

/**
 * A connection in a worker thread. When the thread ends, the connection ends with it: SQLite rolls back the open
 * transaction, and every pending and later statement fails. So no statement of that transaction can reach another thread.
 */
export class ThreadConnection implements DatabaseConnection {
  readonly #channel: ThreadChannel
  readonly #observe: StatementObserver
  #transaction: Transaction | undefined

  constructor(options: ThreadOptions, observe: StatementObserver) {
    this.#channel = new ThreadChannel(options)
    this.#observe = observe
  }

  get hasEnded(): boolean {
    return this.#channel.hasEnded
  }

  begin(): void {
    this.#observe('begin', [])
    this.#transaction = { hasStarted: false, grouping: undefined }
  }

  /**
   * Must be called before the first statement of a transaction. Its commit then does not wait for the disk; the returned
   * promise does. It resolves with the time, in ms, for which the transaction was open.
   */
  acknowledgeLater(how: Pick<Grouping, 'isSeparate' | 'hasNext'>): Promise<number> {
    const durable = Promise.withResolvers<number>()
    // It may be rejected before the caller waits for it.
    durable.promise.catch(() => {})
    if (this.#transaction !== undefined) this.#transaction.grouping = { ...how, durable }
    return durable.promise
  }

  async commit(): Promise<void> {
    const grouping = this.#transaction?.grouping
    this.#transaction = undefined
    if (grouping === undefined) await this.#channel.send({ do: 'finish', commit: 'now' })
    else {
      const { isSeparate, hasNext, durable } = grouping
      const commit = isSeparate ? 'now' : hasNext() && !this.#channel.isBehind ? 'after next' : 'when idle'
      this.#channel
        .send({ do: 'finish', commit })
        .then(({ rows }) => durable.resolve(Number(rows[0]?.openMs ?? 0)), durable.reject)
    }
  }

  async rollback(): Promise<void> {
    this.#transaction = undefined
    await this.#channel.send({ do: 'rollback' })
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    this.#observe(sql, parameters)
    const [only] = parameters
    const statement =
      only instanceof EachOf
        ? { sql, parameters: [], each: only.json, tally: only.options.tally, times: only.times }
        : { sql, parameters, each: undefined, tally: undefined, times: 1 }
    if (this.#transaction === undefined)
      return toQueryResult(await this.#channel.send({ do: 'run alone', ...statement }))
    this.#start(this.#transaction, statement.times)
    const meaning = meaningOfFailure(query)
    if (meaning === undefined)
      return toQueryResult(await this.#channel.send({ do: 'run', isSilent: false, ...statement }))
    this.#channel.hold({ do: 'run', isSilent: true, ...statement }, meaning)
    return { rows: [] }
  }

  streamQuery(): never {
    throw new Error('streaming is not supported: read a page at a time')
  }

  /** Resolves when the thread has little left to do. */
  caughtUp(): Promise<void> {
    return this.#channel.caughtUp()
  }

  takeReplies(): void {
    this.#channel.takeReplies()
  }

  close(): Promise<void> {
    return this.#channel.close()
  }

  #start(transaction: Transaction, times: number): void {
    if (transaction.hasStarted) return
    transaction.hasStarted = true
    const joins = transaction.grouping?.isSeparate === false && times <= JOINED_STATEMENTS_MAX
    if (!joins) this.#channel.hold({ do: 'commit' })
  }
}

const toQueryResult = <R>({ rows, changes }: StatementResult): QueryResult<R> => ({
  rows: rows as R[],
  numAffectedRows: BigInt(changes),
})
