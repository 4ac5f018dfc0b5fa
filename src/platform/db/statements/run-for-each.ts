import { CompiledQuery } from 'kysely'
import type { Tx } from '../types.ts'
import { EachOf, type EachOfOptions } from './each-of.ts'
import { runWithoutResult } from './run-without-result.ts'

/** Runs a statement once for each of these rows of values, or a JSON text of them. Only on SQLite, whose writer needs one message for all. */
export async function runForEach(
  tx: Tx,
  statement: string,
  rows: readonly (readonly unknown[])[] | string,
  options?: EachOfOptions,
): Promise<void> {
  if (rows.length > 0) await runWithoutResult(tx, CompiledQuery.raw(statement, [new EachOf(rows, options)]))
}
