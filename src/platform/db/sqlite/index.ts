import type { DatabaseSync } from 'node:sqlite'
import { type Driver, Kysely, type SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { FairQueue } from '../../bounded/index.ts'
import { SECOND_MS } from '../../clock/index.ts'
import { OperatorError } from '../../errors/operator-error.ts'
import { Announcements } from '../announcements.ts'
import { runWithoutResult } from '../statements/run-without-result.ts'
import type { Tables } from '../tables.generated.ts'
import type { Database, Party, StatementObserver, Tx } from '../types.ts'
import { Checkpoints } from './checkpoints.ts'
import type { CommitGate } from './commit-gate.ts'
import { connectFirst } from './connect.ts'
import { TooLargeToJoin, toConnectError } from './failures.ts'
import { LongWriters } from './long-writers.ts'
import { OrgLocks } from './org-locks.ts'
import { PiecewiseWrites, PlanOutdated } from './piecewise-writes.ts'
import { ReaderAdapter } from './reader-adapter.ts'
import { ReaderDriver } from './reader-driver.ts'
import { ThreadDriver } from './thread-driver.ts'
import { WriterAdapter } from './writer-adapter.ts'

/** Older versions can corrupt a WAL database that several connections write and checkpoint. */
const SQLITE_VERSION_MIN = '3.51.3'

/** The key of the service's own transactions. */
const SERVICE = 'service'

/**
 * There is one writer, so organisations take turns. A request that would wait longer gets 503. Every second turn is for
 * the service, because a visitor waits for the scans that it stores; not more, so that scans alone cannot stop all other
 * writes.
 */
const WRITE_QUEUE = {
  runningMax: 1,
  waitingPerKeyMax: 200,
  waitMsMax: 5 * SECOND_MS,
  preferred: { key: SERVICE, waitingMax: 5000, waitMsMax: 60 * SECOND_MS },
}

export interface SqliteOptions {
  /** How long a write of an organisation waits for its turn. */
  waitMsMax?: number
  observe?: StatementObserver
  commitGate?: CommitGate
}

export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  // Creates the file now: the readers open it before the writer's thread would create it.
  const first = connectExplained(file)
  const version = first.prepare('select sqlite_version() as version').get()?.version as string
  first.close()
  if (version.localeCompare(SQLITE_VERSION_MIN, 'en', { numeric: true }) < 0) {
    throw new OperatorError(
      `SQLite ${version} is too old. Waymark needs ${SQLITE_VERSION_MIN} or later. Start it with npm start.`,
    )
  }

  const { observe = () => {}, commitGate, waitMsMax = WRITE_QUEUE.waitMsMax } = options
  const open = (driver: Driver, adapter: SqliteAdapter = new WriterAdapter()) =>
    new Kysely<Tables>({
      dialect: {
        createAdapter: () => adapter,
        createDriver: () => driver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      },
    })
  const writerDriver = new ThreadDriver({ file, mode: 'write', commitGate }, observe)
  const writer = open(writerDriver)
  const readerAdapter = new ReaderAdapter(file, observe)
  const reader = open(new ReaderDriver(readerAdapter), readerAdapter)
  const longReader = open(new ThreadDriver({ file, mode: 'read', commitGate: undefined }, observe))

  const checkpoints = new Checkpoints(file)
  const writeQueue = new FairQueue({ ...WRITE_QUEUE, waitMsMax })
  const longWriters = new LongWriters()
  const announcements = new Announcements()
  // No other process makes changes, so none can be missed.
  announcements.resumed()
  const hasNext = () => writeQueue.waiting > 0
  const transact = async <T>(
    work: (tx: Tx) => Promise<T>,
    party: Party | undefined,
    isSeparate: boolean,
  ): Promise<T> => {
    const { tx, result, durable } = await writeQueue.run(party ?? SERVICE, async () => {
      const finished = await writer.transaction().execute(async (tx: Tx) => {
        const durable = writerDriver.acknowledgeLater({ isSeparate, hasNext })
        return { tx, result: await work(tx), durable }
      })
      await writerDriver.caughtUp()
      return finished
    })
    longWriters.note(party ?? SERVICE, await durable)
    readerAdapter.refresh()
    checkpoints.committed()
    announcements.committed(tx, party)
    return result
  }
  const transactGrouped = async <T>(work: (tx: Tx) => Promise<T>, party: Party | undefined): Promise<T> => {
    try {
      return await transact(work, party, longWriters.has(party ?? SERVICE))
    } catch (error) {
      if (error instanceof TooLargeToJoin) return transact(work, party, true)
      throw error
    }
  }
  const locks = new OrgLocks({ ...WRITE_QUEUE, waitMsMax })
  const write = async <T>(work: (tx: Tx) => Promise<T>, party?: Party): Promise<T> => {
    if (party === undefined) return transactGrouped(work, party)
    const entering = locks.enter(party, 'shared')
    if (entering !== undefined) await entering
    try {
      return await transactGrouped(work, party)
    } finally {
      locks.leave(party)
    }
  }
  const piecewise = new PiecewiseWrites({
    locks,
    readers: { read: reader, readLong: longReader },
    waitMsMax,
    // A piece has more statements than a transaction may have that joins others.
    transact: (work, orgId) => transact(work, orgId, true),
    committed: (tx, orgId) => announcements.committed(tx, orgId),
  })
  return {
    engine: 'sqlite',
    read: reader,
    readLong: longReader,
    write,
    snapshot: (work) => longReader.transaction().execute(work),
    // Used for batches, which gain nothing from sharing a commit: a savepoint would copy each page that they change.
    writeAlone: (query) => transact((tx) => runWithoutResult(tx, query), undefined, true),
    writeInPieces: async (work, orgId) => {
      try {
        return await piecewise.write(work, orgId)
      } catch (error) {
        if (error instanceof PlanOutdated) return write(work, orgId)
        throw error
      }
    },
    settled: (orgId) => piecewise.settled(orgId),
    takeReplies: () => writerDriver.takeReplies(),
    writeQueue,
    pools: {},
    kysely: writer,
    listen: (listener) => announcements.listen(listener),
    close: async () => {
      piecewise.close()
      // Kysely only closes connections that were used, and this one is always open. The writer must close last.
      readerAdapter.close()
      await longReader.destroy()
      await checkpoints.close()
      await writer.destroy()
    },
  }
}

function connectExplained(file: string): DatabaseSync {
  try {
    return connectFirst(file)
  } catch (error) {
    throw toConnectError(error)
  }
}
