import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import type { Listener } from './announcements.ts'

/** Every table by name. A module adds its own by declaration merging, beside the queries that use it. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the modules
export interface Tables {}

/** For reading. It has no insert, update or delete: a write needs a `Tx`. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn' | 'getExecutor'>

/** A transaction. A required parameter of everything that writes. */
export type Tx = Transaction<Tables>

export type Engine = 'sqlite' | 'postgres'

export interface Database {
  readonly engine: Engine
  /** Point reads and short lists. */
  readonly read: Db
  /** Reads that may take long (exports, counts, far pages): never on the thread that answers requests. */
  readonly readLong: Db
  /**
   * One transaction; commits when `work` resolves, rolls back when it throws. `work` may run again after a
   * deadlock, so it does nothing but talk to the database.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads that all see the database of one moment, however long they take and whatever is written meanwhile. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** One statement as a transaction of its own, in one message. The next one may be on its way before it is answered. */
  writeAlone(query: CompiledQuery): Promise<void>
  /** For migrations, maintenance, and single statements that need no transaction around them. */
  readonly kysely: Kysely<Tables>
  /** Tells the listener of what transactions announce, here and in other processes; answers how to stop. */
  listen(listener: Listener): () => void
  close(): Promise<void>
}

/** Told of every statement; tests read them to see that no tenant's table is touched without its tenant. */
export type StatementObserver = (sql: string, parameters: readonly unknown[]) => void
