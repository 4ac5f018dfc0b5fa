import type { CompiledQuery } from 'kysely'
import { ReaderAdapter } from './sqlite/reader-adapter.ts'
import type { Db } from './types.ts'

interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** Replaces an argument while the statement is compiled. Never reaches the database. */
class Placeholder {
  readonly index: number
  constructor(index: number) {
    this.index = index
  }
}

/**
 * Builds and compiles a statement once per engine, because that costs several times as much as reading one row. The SQL
 * must not depend on the arguments: `build` may only pass them on as values.
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
      const placeholders = args.map((_, index) => new Placeholder(index))
      query = build(db, ...(placeholders as unknown as Args)).compile()
      const { parameters, sql } = query
      if (!placeholders.every((placeholder) => parameters.includes(placeholder)))
        throw new Error(`an argument is not a value: ${sql}`)
      byAdapter.set(adapter, query)
    }
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? args[value.index] : value))
    // A read on this thread is synchronous. Going through Kysely would add a dozen awaits.
    if (adapter instanceof ReaderAdapter) return adapter.run(query.sql, parameters) as Row[]
    return (await executor.executeQuery<Row>({ ...query, parameters })).rows
  }
}
