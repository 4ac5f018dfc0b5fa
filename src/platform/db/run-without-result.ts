import type { CompiledQuery } from 'kysely'
import type { Tx } from './types.ts'

/** From a query builder, or a piece of SQL. */
interface Statement {
  compile(tx: Tx): CompiledQuery
}

const withoutResult = new WeakSet<CompiledQuery>()

export const isWithoutResult = (query: CompiledQuery): boolean => withoutResult.has(query)

/**
 * Runs a statement whose result nobody needs. The transaction does not wait for it. On SQLite, this saves a turn of the main
 * thread while the only writer is held; on PostgreSQL, it is sent together with the next statement. If it fails, so do all
 * later ones of the transaction, and its commit.
 */
export async function runWithoutResult(tx: Tx, statement: Statement): Promise<void> {
  const query = statement.compile(tx)
  withoutResult.add(query)
  await tx.executeQuery(query)
}
