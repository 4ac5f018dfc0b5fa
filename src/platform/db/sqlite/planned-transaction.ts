import { setImmediate } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { PlanningAdapter } from '../is-sqlite.ts'
import { EachOf } from '../statements/each-of.ts'
import { meaningOfFailure } from '../statements/run-without-result.ts'
import type { Tables } from '../tables.generated.ts'
import type { Db, Tx } from '../types.ts'

/** Shared, because compiled statements are kept by adapter. */
const ADAPTER = new PlanningAdapter()

const IS_READ = /^\s*(select|with)\b/i

/** A statement with more values than this reads many rows, which would take too long on the main thread. */
const SHORT_VALUES_MAX = 50

export interface Planned<T> {
  result: T
  /** What it announces is found here. */
  tx: Tx
  /** What it writes. */
  statements: readonly CompiledQuery[]
}

/**
 * Runs the work of a transaction without the writer: it reads from connections of readers, and what it writes is collected,
 * to be written later. So it holds nobody up, however long it takes. It must not read what it has written.
 */
export async function planTransaction<T>(
  readers: { read: Db; readLong: Db },
  work: (tx: Tx) => Promise<T>,
): Promise<Planned<T>> {
  const connection = new PlanningConnection(readers)
  const planning = new Kysely<Tables>({
    dialect: {
      createAdapter: () => ADAPTER,
      createDriver: () => new PlanningDriver(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
  return planning.transaction().execute(async (tx) => ({
    tx,
    result: await work(tx),
    statements: connection.statements,
  }))
}

class PlanningConnection implements DatabaseConnection {
  readonly statements: CompiledQuery[] = []
  readonly #readers: { read: Db; readLong: Db }

  constructor(readers: { read: Db; readLong: Db }) {
    this.#readers = readers
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (meaningOfFailure(query) !== undefined) {
      this.statements.push(query)
      // To prepare the rows of the next statement may take long.
      if (query.parameters[0] instanceof EachOf) await setImmediate()
      return { rows: [] }
    }
    if (!IS_READ.test(query.sql)) throw new Error(`a planned transaction cannot wait for what it writes: ${query.sql}`)
    const { read, readLong } = this.#readers
    const reader = query.parameters.length > SHORT_VALUES_MAX ? readLong : read
    return reader.getExecutor().executeQuery<R>(query as CompiledQuery<R>)
  }

  streamQuery(): never {
    throw new Error('streaming is not supported: read a page at a time')
  }
}

/** Begins and ends nothing. */
class PlanningDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(connection: DatabaseConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async beginTransaction(): Promise<void> {}
  async commitTransaction(): Promise<void> {}
  async rollbackTransaction(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}
