import type { CompiledQuery } from 'kysely'
import type { Tx } from './types.ts'

/** Compiled, from a query builder, or a piece of SQL. */
type Statement = CompiledQuery | { compile(tx: Tx): CompiledQuery }

/** Returns the error to throw when a statement has failed with this one. */
export type ToFailure = (error: unknown) => unknown

const withoutResult = new WeakMap<CompiledQuery, ToFailure>()

/** Undefined if somebody needs the result of the query. */
export const meaningOfFailure = (query: CompiledQuery): ToFailure | undefined => withoutResult.get(query)

/**
 * Runs a statement whose result nobody needs. The transaction does not wait for it: it is sent together with the next
 * statement. If it fails, so do all later ones of the transaction, and its commit, with the error that `toFailure` returns.
 */
export async function runWithoutResult(
  tx: Tx,
  statement: Statement,
  toFailure: ToFailure = (error) => error,
): Promise<void> {
  const query = 'compile' in statement ? statement.compile(tx) : statement
  withoutResult.set(query, toFailure)
  await tx.executeQuery(query)
}
