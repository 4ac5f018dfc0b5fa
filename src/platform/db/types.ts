import type { CompiledQuery, Kysely, Transaction } from 'kysely'
import type { FairQueue } from '../bounded/index.ts'
import type { OrgId } from '../ids/index.ts'
import type { Tables } from './tables.generated.ts'

/** Read access. Has no insert, update or delete: writing needs a `Tx`. */
export type Db = Pick<Kysely<Tables>, 'selectFrom' | 'with' | 'fn' | 'getExecutor'>

/** A transaction. Every function that writes takes it as a required parameter. */
export type Tx = Transaction<Tables>

export type Engine = 'sqlite' | 'postgres'

/** Whose turn a transaction takes: that of an organisation, or of all strangers together. */
export type Party = OrgId | 'strangers'

/** Receives the committed changes of this and other processes. */
export interface Listener {
  changed(topic: string, key: string): void
  /** Changes of other processes may be missed from now on. */
  interrupted(): void
  /** All changes are reported again. Some may have been missed in the meantime. */
  resumed(): void
}

export interface Database {
  readonly engine: Engine
  /** Point reads and short lists. */
  readonly read: Db
  /** Reads that may be slow (exports, counts, large offsets). They never run on the thread that serves requests. */
  readonly readLong: Db
  /**
   * Runs one transaction: commits when `work` resolves, rolls back when it throws. `work` may run again after a
   * deadlock, so it must have no side effects outside the database. When transactions have to wait, organisations take
   * turns, and strangers are like one of them. Those of nobody are the service's own and go first: a visitor waits for
   * the scans that it stores. Throws `QueueFull` if the transaction cannot start soon.
   */
  write<T>(work: (tx: Tx) => Promise<T>, party?: Party): Promise<T>
  /**
   * Like `write`, for transactions with many rows: those of other organisations need not wait until all of them are written.
   * `work` must not read what it has written, nor wait for its results (`runWithoutResult`).
   */
  writeInPieces<T>(work: (tx: Tx) => Promise<T>, orgId: OrgId): Promise<T>
  /** Resolves when a committed change of the organisation can be read as a whole. Undefined if all of them can. */
  settled(orgId: OrgId): Promise<void> | undefined
  /**
   * Goes on with transactions whose statements have been answered by now. The event loop does so only after it has handled all
   * requests that have arrived, and the next transaction waits meanwhile.
   */
  takeReplies(): void
  /** Where transactions wait, for metrics. */
  readonly writeQueue: Pick<FairQueue, 'waiting' | 'running' | 'onRefused'>
  /** Connections by the name of their pool, for metrics. The embedded database has none. */
  readonly pools: Readonly<
    Record<string, { readonly inUse: number; readonly waiting: number; readonly connectionsMax: number }>
  >
  /** Runs reads that all see the same snapshot of the database. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Runs one statement as its own transaction, in one message. Concurrent calls do not wait for each other. */
  writeAlone(query: CompiledQuery): Promise<void>
  /** Used for migrations, maintenance, and single statements that need no transaction. */
  readonly kysely: Kysely<Tables>
  /** Reports announced changes of this and other processes to the listener. Returns the function that stops it. */
  listen(listener: Listener): () => void
  close(): Promise<void>
}

/** Called with every statement. Tests use it to check that every query on a tenant's table filters by tenant. */
export type StatementObserver = (sql: string, parameters: readonly unknown[]) => void
