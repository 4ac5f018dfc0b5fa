import type { CompiledQuery } from 'kysely'
import type { Tx } from '../types.ts'

/** Compiled, from a query builder, or a piece of SQL. */
type Statement = CompiledQuery | { compile(tx: Tx): CompiledQuery }

/** Returns the error to throw when a statement has failed with this one. */
export type ToFailure = (error: unknown) => unknown

/** A property of the query, not a WeakMap: collecting its short-lived keys would cost a POST an eighth of its time. */
const FAILURE = Symbol('failure')

interface WithoutResult extends CompiledQuery {
  [FAILURE]?: ToFailure
}

/** Undefined if somebody needs the result of the query. */
export const meaningOfFailure = (query: WithoutResult): ToFailure | undefined => query[FAILURE]

/**
 * Runs a statement whose result nobody needs. The transaction does not wait for it: it is sent together with the next
 * statement. If it fails, so do all later ones of the transaction, and its commit, with the error that `toFailure` returns.
 */
export async function runWithoutResult(
  tx: Tx,
  statement: Statement,
  toFailure: ToFailure = (error) => error,
): Promise<void> {
  const { sql, parameters, query, queryId } = 'compile' in statement ? statement.compile(tx) : statement
  const marked: WithoutResult = { sql, parameters, query, queryId, [FAILURE]: toFailure }
  // There is no result for Kysely to transform.
  await tx.getExecutor().provideConnection((connection) => connection.executeQuery(marked))
}
