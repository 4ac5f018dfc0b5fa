import { setImmediate as nextTurn } from 'node:timers/promises'
import { SqliteAdapter } from 'kysely'

interface OnEngine {
  getExecutor(): { adapter: unknown }
}

/** A few statements cannot be written once for both engines, and ask this. */
export const isSqlite = (db: OnEngine): boolean => db.getExecutor().adapter instanceof SqliteAdapter

/** Of transactions that only collect what they write (`sqlite/planned-transaction.ts`). */
export class PlanningAdapter extends SqliteAdapter {}

export const isPlanning = (tx: OnEngine): boolean => tx.getExecutor().adapter instanceof PlanningAdapter

/** Lets others use the main thread during a long transaction, unless all of them wait for it to leave the writer. */
export async function pauseIn(tx: OnEngine): Promise<void> {
  if (!isSqlite(tx) || isPlanning(tx)) await nextTurn()
}
