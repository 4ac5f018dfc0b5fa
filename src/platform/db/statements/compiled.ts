import type { CompiledQuery, QueryExecutorProvider } from 'kysely'
import type { Db } from '../types.ts'

/** An adapter that runs compiled reads itself, because going through Kysely would add a dozen awaits. */
export interface DirectReads {
  run(sql: string, parameters: readonly unknown[]): unknown[] | Promise<unknown[]>
}

const isDirect = (adapter: object): adapter is DirectReads => 'run' in adapter

/** A query builder, or a piece of SQL. */
interface Compilable<Row> {
  compile(on: QueryExecutorProvider): CompiledQuery<Row>
}

/** Replaces an argument while the statement is compiled. Never reaches the database. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/**
 * Builds and compiles a statement once per engine, because that costs several times as much as running it. The SQL must
 * not depend on the arguments: `build` may only pass them on as values.
 */
export function compiledStatement<On extends QueryExecutorProvider, Args extends unknown[], Row>(
  build: (on: On, ...args: Args) => Compilable<Row>,
): (on: On, ...args: Args) => CompiledQuery<Row> {
  const byAdapter = new WeakMap<object, CompiledQuery<Row>>()
  return (on, ...args) => {
    const { adapter } = on.getExecutor()
    let query = byAdapter.get(adapter)
    if (query === undefined) {
      const placeholders = args.map((_, index) => new Placeholder(index))
      query = build(on, ...(placeholders as unknown as Args)).compile(on)
      const { parameters, sql } = query
      if (!placeholders.every((placeholder) => parameters.includes(placeholder)))
        throw new Error(`an argument is not a value: ${sql}`)
      byAdapter.set(adapter, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? args[value.index] : value))
    return { ...query, parameters }
  }
}

/** A query that is compiled once. */
export function compiled<Args extends unknown[], Row>(
  build: (db: Db, ...args: Args) => Compilable<Row>,
): (db: Db, ...args: Args) => Promise<Row[]> {
  const toQuery = compiledStatement(build)
  return async (db, ...args) => {
    const query = toQuery(db, ...args)
    const executor = db.getExecutor()
    const { adapter } = executor
    if (isDirect(adapter)) return adapter.run(query.sql, query.parameters) as Row[] | Promise<Row[]>
    return (await executor.executeQuery<Row>(query)).rows
  }
}
