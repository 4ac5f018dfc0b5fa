import type { CompiledQuery } from 'kysely'
import { ReaderAdapter } from './sqlite/reader-adapter.ts'
import type { Db } from './types.ts'

/** What a builder of Kysely can become. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** Stands for an argument while the statement is built; never reaches the database. */
class Place {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/**
 * A statement whose text depends on no argument, built and compiled once per engine: doing so costs several
 * times what reading one row does. `build` may only hand its arguments on as values.
 */
export function compiled<Args extends unknown[], Row>(
  build: (db: Db, ...args: Args) => Compilable<Row>,
): (db: Db, ...args: Args) => Promise<Row[]> {
  const byAdapter = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, ...args) => {
    const executor = db.getExecutor()
    const { adapter } = executor
    let query = byAdapter.get(adapter)
    if (query === undefined) {
      const places = args.map((_, index) => new Place(index))
      query = build(db, ...(places as unknown as Args)).compile()
      const { parameters, sql } = query
      if (!places.every((place) => parameters.includes(place))) throw new Error(`an argument is not a value: ${sql}`)
      byAdapter.set(adapter, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Place ? args[value.index] : value))
    // A read in this thread is over before anybody could wait for it; Kysely would wait a dozen times.
    if (adapter instanceof ReaderAdapter) return adapter.run(query.sql, parameters) as Row[]
    return (await executor.executeQuery<Row>({ ...query, parameters })).rows
  }
}
