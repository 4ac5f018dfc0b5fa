import { Worker } from 'node:worker_threads'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { EachOf } from '../insert-rows.ts'
import type { StatementObserver } from '../types.ts'
import { toError } from './failures.ts'
import type { StatementResult } from './statements.ts'
import type { Answer, Command, ThreadOptions } from './thread.ts'

type CommandWithoutId = Command extends infer C ? (C extends Command ? Omit<C, 'id'> : never) : never

/** Kysely over a thread of its own. Kysely itself queues the users of the one connection. */
export class ThreadDriver implements Driver {
  readonly #options: ThreadOptions
  readonly #observe: StatementObserver
  readonly #waiting = new Map<number, { resolve(result: StatementResult): void; reject(error: Error): void }>()
  #worker: Worker | undefined
  #lastId = 0
  #inTransaction = false
  /** Why the thread ended; nobody would ever answer what is sent to it after that. */
  #dead: Error | undefined

  constructor(options: ThreadOptions, observe: StatementObserver) {
    this.#options = options
    this.#observe = observe
  }

  async init(): Promise<void> {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: this.#options })
    worker.on('message', (answer: Answer) => {
      const waiter = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if ('failure' in answer) waiter?.reject(toError(answer.failure))
      else waiter?.resolve(answer.result)
    })
    worker.on('error', (error) => {
      this.#dead = error as Error
      for (const { reject } of this.#waiting.values()) reject(error as Error)
      this.#waiting.clear()
    })
    this.#worker = worker
  }

  /**
   * Whether a statement that is a transaction of its own may be sent past Kysely's queue, so that the thread finds it
   * when it is done with the last one. Not into the middle of somebody else's transaction.
   */
  get mayRunAlone(): boolean {
    return this.#worker !== undefined && !this.#inTransaction
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: <R>(query: CompiledQuery) => this.run(query) as Promise<QueryResult<R>>,
      streamQuery: () => {
        throw new Error('rows are not streamed: read a page at a time')
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
    if (this.#dead !== undefined) return Promise.reject(this.#dead)
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker?.postMessage({ ...command, id } as Command)
    })
  }
}
