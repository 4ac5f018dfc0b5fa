import { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import { YOUNG_MB_MAX } from '../../bounded/index.ts'
import { DatabaseUnavailable } from '../failures.ts'
import { EachOf } from '../insert-rows.ts'
import { isWithoutResult } from '../run-without-result.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { StatementResult } from './statements.ts'
import type { Command, Reply, ThreadOptions } from './thread.ts'

type CommandWithoutId = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never

/**
 * A connection in a worker thread. When the thread ends, the connection ends with it: SQLite rolls back the open
 * transaction, and every pending and later statement fails. So no statement of that transaction can reach another thread.
 */
export class ThreadConnection implements DatabaseConnection {
  readonly #worker: Worker
  readonly #observe: StatementObserver
  readonly #pending = new Map<number, { resolve(result: StatementResult): void; reject(error: Error): void }>()
  #lastId = 0
  #inTransaction = false
  #failure: DatabaseUnavailable | undefined

  constructor(options: ThreadOptions, observe: StatementObserver) {
    this.#observe = observe
    this.#worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: options,
      name: `sqlite-${options.mode}`,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    })
    this.#worker.on('message', (reply: Reply) => {
      const pending = this.#pending.get(reply.id)
      this.#pending.delete(reply.id)
      if ('failure' in reply) pending?.reject(toError(reply.failure))
      else pending?.resolve(reply.result)
    })
    let cause: unknown
    this.#worker.on('error', (error) => {
      cause = error
    })
    // Comes after all replies that the thread has sent, and when its locks on the database are released.
    this.#worker.on('exit', () => this.#end(cause))
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined
  }

  get inTransaction(): boolean {
    return this.#inTransaction
  }

  begin(): void {
    this.#observe('begin', [])
    this.#inTransaction = true
  }

  async commit(): Promise<void> {
    await this.#send({ do: 'commit' })
    this.#inTransaction = false
  }

  async rollback(): Promise<void> {
    this.#inTransaction = false
    await this.#send({ do: 'rollback' })
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    this.#observe(sql, parameters)
    const inTransaction = this.#inTransaction
    const [only] = parameters
    const command =
      only instanceof EachOf ? { parameters: [], each: JSON.stringify(only.rows) } : { parameters, each: undefined }
    const reply = this.#send({ do: 'run', sql, ...command, inTransaction })
    if (inTransaction && isWithoutResult(query)) {
      // The thread rejects the commit, too.
      reply.catch(() => {})
      return { rows: [] }
    }
    const { rows, changes } = await reply
    return { rows: rows as R[], numAffectedRows: BigInt(changes) }
  }

  streamQuery(): never {
    throw new Error('streaming is not supported: read a page at a time')
  }

  async close(): Promise<void> {
    if (this.hasEnded) return
    await this.#send({ do: 'close' })
    await this.#worker.terminate()
  }

  #send(command: CommandWithoutId): Promise<StatementResult> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker.postMessage({ ...command, id } as Command)
    })
  }

  #end(cause: unknown): void {
    this.#failure = new DatabaseUnavailable('the thread of the database has ended', cause)
    for (const { reject } of this.#pending.values()) reject(this.#failure)
    this.#pending.clear()
  }
}
