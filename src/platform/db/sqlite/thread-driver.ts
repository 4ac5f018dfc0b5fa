import { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { EachOf } from '../insert-rows.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { StatementResult } from './statements.ts'
import type { Command, Reply, ThreadOptions } from './thread.ts'

type CommandWithoutId = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never

/** The Kysely driver of a connection in a worker thread. Kysely queues the users of the single connection. */
export class ThreadDriver implements Driver {
  readonly #options: ThreadOptions
  readonly #observe: StatementObserver
  readonly #pending = new Map<number, { resolve(result: StatementResult): void; reject(error: Error): void }>()
  #worker: Worker | undefined
  #lastId = 0
  #inTransaction = false
  /** Why the thread ended. Later messages to it would never get a reply. */
  #exitError: Error | undefined

  constructor(options: ThreadOptions, observe: StatementObserver) {
    this.#options = options
    this.#observe = observe
  }

  async init(): Promise<void> {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: this.#options })
    worker.on('message', (reply: Reply) => {
      const pending = this.#pending.get(reply.id)
      this.#pending.delete(reply.id)
      if ('failure' in reply) pending?.reject(toError(reply.failure))
      else pending?.resolve(reply.result)
    })
    worker.on('error', (error) => {
      this.#exitError = error as Error
      for (const { reject } of this.#pending.values()) reject(error as Error)
      this.#pending.clear()
    })
    this.#worker = worker
  }

  /**
   * Whether a statement that is its own transaction may bypass Kysely's queue, so that it already waits in the thread's
   * inbox when the previous one is done. Not while a transaction is open, because it would become part of it.
   */
  get canBypassQueue(): boolean {
    return this.#worker !== undefined && !this.#inTransaction
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>(query: CompiledQuery) => this.run(query) as Promise<QueryResult<R>>,
      streamQuery: () => {
        throw new Error('streaming is not supported: read a page at a time')
      },
    }
  }

  async beginTransaction(): Promise<void> {
    this.#observe('begin', [])
    this.#inTransaction = true
  }

  async commitTransaction(): Promise<void> {
    await this.#send({ do: 'commit' })
    this.#inTransaction = false
  }

  async rollbackTransaction(): Promise<void> {
    this.#inTransaction = false
    await this.#send({ do: 'rollback' })
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#send({ do: 'close' })
    await this.#worker?.terminate()
  }

  async run({ sql, parameters }: CompiledQuery): Promise<QueryResult<unknown>> {
    this.#observe(sql, parameters)
    const inTransaction = this.#inTransaction
    const [only] = parameters
    const command =
      only instanceof EachOf ? { parameters: [], each: JSON.stringify(only.rows) } : { parameters, each: undefined }
    const { rows, changes } = await this.#send({ do: 'run', sql, ...command, inTransaction })
    return { rows, numAffectedRows: BigInt(changes) }
  }

  #send(command: CommandWithoutId): Promise<StatementResult> {
    if (this.#exitError !== undefined) return Promise.reject(this.#exitError)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      this.#worker?.postMessage({ ...command, id } as Command)
    })
  }
}
