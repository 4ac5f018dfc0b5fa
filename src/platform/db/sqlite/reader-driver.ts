import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type { ReaderAdapter } from './reader-adapter.ts'

export class ReaderDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(adapter: ReaderAdapter) {
    this.#connection = {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery) =>
        ({ rows: adapter.run(sql, parameters) }) as QueryResult<R>,
      streamQuery: () => {
        throw new Error('streaming is not supported: read a page at a time')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('this connection is read-only')
  }
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
