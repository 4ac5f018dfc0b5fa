import { SqliteAdapter } from 'kysely'

interface OnEngine {
  getExecutor(): { adapter: unknown }
}

/** A few statements cannot be written once for both engines, and ask this. */
export const isSqlite = (db: OnEngine): boolean => db.getExecutor().adapter instanceof SqliteAdapter

/** Of transactions that only collect what they write (`sqlite/planned-transaction.ts`). */
export class PlanningAdapter extends SqliteAdapter {}

export const isPlanning = (tx: OnEngine): boolean => tx.getExecutor().adapter instanceof PlanningAdapter
