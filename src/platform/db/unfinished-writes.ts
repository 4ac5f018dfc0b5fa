import { CompiledQuery } from 'kysely'
import { SECOND_MS } from '../clock/index.ts'
import { newId, type OrgId } from '../ids/index.ts'
import type { Logger } from '../telemetry/logging.ts'
import { ConstraintViolation, UnstorableValue } from './failures.ts'
import { isSqlite } from './is-sqlite.ts'
import { batchesOf } from './statements/batches.ts'
import { EachOf } from './statements/each-of.ts'
import { insertRows } from './statements/insert-rows.ts'
import { runWithoutResult } from './statements/run-without-result.ts'
import { columnsOf } from './statements/table-columns.ts'
import type { Database, Db, Tx } from './types.ts'

/** How soon the service completes what an ended command has left. */
const INTERVAL_MS = 2 * SECOND_MS

/** A statement of a large transaction, and some of the rows for which it has to run. */
export interface Piece {
  id: string
  statement: string
  each: EachOf
}

/**
 * How many values a piece has, of all its rows: 100 objects, or 200 properties. Either takes up to 8 ms of the writer, because
 * tables with many columns have many indexes. A batch of events has fewer, and is not divided.
 */
const PIECE_VALUES_MAX = 1800

export function toPieces(statement: string, { rows, options }: EachOf): Piece[] {
  const { rowsMax = Math.ceil(PIECE_VALUES_MAX / (rows[0]?.length ?? 1)) } = options
  // These ids sort in the order in which they are made.
  return batchesOf(rows, rowsMax).map((some) => ({ id: newId(), statement, each: new EachOf(some) }))
}

/** Part of the transaction that commits all of them: from then on, they will be carried out. */
export async function insertPieces(tx: Tx, orgId: OrgId, pieces: readonly Piece[]): Promise<void> {
  // One by one: together, the long texts would be put into JSON once more.
  for (const { id, statement, each } of pieces)
    await insertRows(tx, 'unfinished_writes', [{ id, org_id: orgId, statement, each_row: each.json }])
}

/**
 * Carries out a piece. The same transaction removes it first, so it is done once, also if two processes try. Each process
 * takes the pieces of a change in their order, so they are done in this order.
 */
export async function finishPiece(tx: Tx, orgId: OrgId, { id, statement, each }: Piece): Promise<void> {
  const removal = tx.deleteFrom('unfinished_writes').where('org_id', '=', orgId).where('id', '=', id)
  if ((await removal.returning('id').executeTakeFirst()) === undefined) return
  if (isSqlite(tx)) await runWithoutResult(tx, CompiledQuery.raw(statement, [each]))
  else for (const values of each.rows) await runWithoutResult(tx, toPostgres(statement, values))
}

export async function isUnfinished(db: Db, orgId: OrgId, { id }: Piece): Promise<boolean> {
  const rows = db.selectFrom('unfinished_writes').select('id').where('org_id', '=', orgId).where('id', '=', id)
  return (await rows.executeTakeFirst()) !== undefined
}

/**
 * Completes what another process on this database, or the one whose backup was restored, had committed but not written
 * when it ended. Runs before the service serves anything, for all organisations. Returns why pieces cannot be written, by
 * their ids; they are kept.
 */
export async function finishWrites(database: Database): Promise<Map<string, Error>> {
  const failures = new Map<string, Error>()
  for (let after = ''; ; ) {
    const next = await selectNext(database.read, after)
    if (next === undefined) return failures
    const { id, org_id: orgId, statement, each_row } = next
    after = id
    // This process is about to do it.
    if (database.settled(orgId) !== undefined) continue
    const piece = { id, statement, each: new EachOf(JSON.parse(each_row)) }
    try {
      await database.write((tx) => finishPiece(tx, orgId, piece), orgId)
    } catch (error) {
      if (!isImpossible(error)) throw error
      failures.set(id, error)
    }
  }
}

/** Whether a piece that failed with this error can never be written. */
export const isImpossible = (error: unknown): error is Error =>
  error instanceof ConstraintViolation || error instanceof UnstorableValue

export const reportUnfinished = (log: Logger, id: string, error: Error): void =>
  log.error({ err: error, id }, 'a part of a change cannot be written; it is kept in unfinished_writes')

/** Completes what commands leave that are ended while the service is running. Returns a function that stops it. */
export function startFinishing(database: Database, log: Logger): () => Promise<void> {
  // No command writes to PostgreSQL in pieces.
  if (database.engine !== 'sqlite') return async () => {}
  const reported = new Set<string>()
  const finish = async () => {
    for (const [id, error] of await finishWrites(database)) {
      if (!reported.has(id)) reportUnfinished(log, id, error)
      reported.add(id)
    }
  }
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(finish).catch((error) => log.warn({ err: error }, 'unfinished changes have to wait'))
  }, INTERVAL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}

const selectNext = (db: Db, after: string) =>
  db
    .selectFrom('unfinished_writes')
    .select(columnsOf('unfinished_writes'))
    .$if(after !== '', (query) => query.where('id', '>', after))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** Only after a backup of SQLite was restored: its statements have `?` for values, and nowhere else. */
function toPostgres(statement: string, values: readonly unknown[]): CompiledQuery {
  let count = 0
  const numbered = statement.replaceAll('?', () => `$${++count}`)
  const texts = values.map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value))
  return CompiledQuery.raw(numbered, texts)
}
