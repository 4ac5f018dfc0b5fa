import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type pg from 'pg'
import { FairQueue } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import { OperatorError } from '../../errors/operator-error.ts'
import { Announcements } from '../announcements.ts'
import type { Tables } from '../tables.generated.ts'
import { withTimeout } from '../timeout.ts'
import type { Database, Party, StatementObserver, Tx } from '../types.ts'
import { isRetryable } from './failures.ts'
import { startListening } from './listening.ts'
import { createPool } from './pool.ts'
import type { PoolConnection } from './pool-connection.ts'
import { PoolDriver } from './pool-driver.ts'
import { ServerWatch } from './server-watch.ts'
import { SHARED_CONNECTIONS, SHARED_STATEMENT_MS_MAX, SharedReads } from './shared-reads.ts'
import { StatementNames } from './statement-names.ts'
import { disableTimeouts } from './timeouts.ts'

export interface PostgresOptions {
  observe?: StatementObserver
  /** Used for everything but long reads, which have half as many connections of their own. */
  connectionsMax?: number
  /** Whether other organisations send requests at the moment, too. */
  isShared?: (orgId: string) => boolean
  /** A request gets its 503 soon after, whether it waits for its turn, for a connection, for a lock or for a response. */
  waitMsMax?: number
}

/** A request gets its 503 within 5 s. */
const WAIT_MS_MAX = 3 * SECOND_MS
const WRITES_WAITING_PER_ORG_MAX = 200
/** While others send requests, an organisation runs one transaction for every five connections. */
const CONNECTIONS_PER_SHARED_WRITE = 5
/** Much longer than most. Several at once would wait for each other's locks, and take the processors from others. */
const LONG_WRITE_MS = 100
const LONG_STATEMENT_MS_MAX = 30 * SECOND_MS
const CLOSE_MS = 2 * SECOND_MS
const ATTEMPTS_MAX = 5

export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<Database> {
  const { observe = () => {}, connectionsMax = 10, isShared = () => false, waitMsMax = WAIT_MS_MAX } = options
  const watch = new ServerWatch(url)
  const requestLimits = {
    connectionsMax,
    waitMsMax,
    // Longer than waiting for a lock, which then ends with an error of its own.
    statementMsMax: waitMsMax + 0.5 * SECOND_MS,
    idleInTransactionMsMax: waitMsMax + 2 * SECOND_MS,
  }
  const pool = createPool(url, watch, requestLimits)
  const sharedPool = createPool(url, watch, {
    ...requestLimits,
    connectionsMax: SHARED_CONNECTIONS,
    statementMsMax: SHARED_STATEMENT_MS_MAX,
  })
  const longPool = createPool(url, watch, {
    connectionsMax: Math.ceil(connectionsMax / 2),
    waitMsMax,
    statementMsMax: LONG_STATEMENT_MS_MAX,
    idleInTransactionMsMax: LONG_STATEMENT_MS_MAX,
  })
  const names = new StatementNames()
  const driver = new PoolDriver(pool, watch, names, observe)
  const toKysely = (through: PoolDriver, adapter = new PostgresAdapter()) =>
    new Kysely<Tables>({
      dialect: {
        createAdapter: () => adapter,
        createDriver: () => through,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    })
  const kysely = toKysely(driver)
  const sharedReads = new SharedReads(sharedPool, names, observe, driver)
  const reader = toKysely(driver, sharedReads)
  const longReader = toKysely(new PoolDriver(longPool, watch, names, observe))
  const announcements = new Announcements()
  let stopListening: (() => Promise<void>) | undefined
  const close = async () => {
    await stopListening?.()
    sharedReads.close()
    await withTimeout(Promise.all([pool.end(), sharedPool.end(), longPool.end()]), CLOSE_MS).catch(() => {})
    watch.close()
  }
  try {
    await refuseUnsafeSettings(pool)
  } catch (error) {
    await close()
    throw error
  }

  // Two connections are left for reads and for the service itself, and one more for other organisations. While others send
  // requests, an organisation has fewer transactions, because they also share the processors of the server.
  const aloneMax = Math.max(1, connectionsMax - 3)
  const sharedMax = Math.min(aloneMax, Math.ceil(connectionsMax / CONNECTIONS_PER_SHARED_WRITE))
  const writeQueue = new FairQueue({
    runningMax: Math.max(1, connectionsMax - 2),
    runningPerKeyMax: (orgId) => (isShared(orgId) ? sharedMax : aloneMax),
    longTaskMs: LONG_WRITE_MS,
    waitingPerKeyMax: WRITES_WAITING_PER_ORG_MAX,
    waitMsMax: waitMsMax + SECOND_MS,
  })
  const transact = async <T>(work: (tx: Tx) => Promise<T>, party: Party | undefined): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        let committed: Tx | undefined
        const result = await kysely.transaction().execute(async (tx: Tx) => {
          committed = tx
          if (party !== undefined) await commitTogether(tx, party)
          return work(tx)
        })
        if (committed !== undefined) announcements.committed(committed, party)
        return result
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error
      }
    }
  }
  const write = <T>(work: (tx: Tx) => Promise<T>, party?: Party): Promise<T> =>
    party === undefined ? transact(work, party) : writeQueue.run(party, () => transact(work, party))
  return {
    engine: 'postgres',
    read: reader,
    readLong: longReader,
    write,
    // Transactions run at the same time.
    writeInPieces: write,
    settled: () => undefined,
    takeReplies: () => {},
    writeQueue,
    pools: { requests: countsOf(pool), long_reads: countsOf(longPool) },
    snapshot: (work) =>
      longReader
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (tx) => {
          await disableTimeouts(tx)
          return work(tx)
        }),
    writeAlone: async (query) => {
      await kysely.executeQuery(query)
    },
    kysely,
    listen: (listener) => {
      stopListening ??= startListening(url, announcements)
      return announcements.listen(listener)
    },
    close,
  }
}

const countsOf = (pool: pg.Pool) => ({
  get inUse() {
    return pool.totalCount - pool.idleCount
  },
  get waiting() {
    return pool.waitingCount
  },
  connectionsMax: pool.options.max,
})

const commitTogether = (tx: Tx, party: Party): Promise<void> =>
  tx.getExecutor().provideConnection(async (connection) => (connection as PoolConnection).commitTogether(party))

/** If one of these settings is off, a power cut can lose a commit that PostgreSQL has acknowledged. */
async function refuseUnsafeSettings(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit', 'server_version_num')",
  )
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => settings[name] === 'off')
  if (off.length > 0) {
    throw new OperatorError(
      `PostgreSQL runs with ${off.map((name) => `${name} = off`).join(' and ')}, which can lose committed data in a power cut. Turn it on.`,
    )
  }
  if (Number(settings.server_version_num) < 150_000)
    throw new OperatorError('PostgreSQL is too old. Waymark needs version 15 or later.')
}
