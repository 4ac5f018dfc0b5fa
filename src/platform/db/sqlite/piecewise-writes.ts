import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import type { OrgId } from '../../ids/index.ts'
import { ConstraintViolation, DatabaseUnavailable } from '../failures.ts'
import { EachOf } from '../statements/each-of.ts'
import { meaningOfFailure, runWithoutResult } from '../statements/run-without-result.ts'
import { withTimeout } from '../timeout.ts'
import type { Db, Tx } from '../types.ts'
import { finishPiece, insertPieces, isImpossible, isUnfinished, type Piece, toPieces } from '../unfinished-writes.ts'
import type { OrgLocks } from './org-locks.ts'
import { planTransaction } from './planned-transaction.ts'

/** A transaction with fewer rows is short enough as it is. */
const ROWS_MAX = 200

const RETRY_MS = 500

/** What others have written meanwhile does not agree with the plan: an ordinary transaction decides what becomes of it. */
export class PlanOutdated extends Error {}

interface Options {
  locks: OrgLocks
  readers: { read: Db; readLong: Db }
  /** After this time, a request gets 503. Its change is committed and will be completed, so a retry finds it. */
  waitMsMax: number
  /** Runs a transaction with the writer, when it is the organisation's turn. */
  transact(work: (tx: Tx) => Promise<void>, orgId: OrgId): Promise<void>
  /** Reports what a transaction has announced. */
  committed(tx: Tx, orgId: OrgId): void
}

/**
 * Writes large transactions in pieces, between which those of other organisations have their turns.
 *
 * 1. *Planning*: `work` runs without the writer. Other transactions of the organisation wait until the last step. Then names
 *    that were drawn at random are claimed, some at a time.
 * 2. *Commit*: one short transaction stores what is left to write as a few long texts (`unfinished_writes`), and runs the
 *    statements that run once, such as the one that claims names. Now the change is durable, as a whole.
 * 3. *Pieces*: each is one transaction. After a crash, the next process continues (`finishWrites`).
 */
export class PiecewiseWrites {
  readonly #options: Options
  /** What readers of an organisation have to wait for. */
  readonly #finishing = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Runs a transaction. Throws `PlanOutdated` if a constraint refuses it. */
  async write<T>(work: (tx: Tx) => Promise<T>, orgId: OrgId): Promise<T> {
    const { locks, readers, transact, committed, waitMsMax } = this.#options
    await locks.enter(orgId, 'alone')
    let finished: Promise<void> | undefined
    try {
      const { tx: planning, result, statements } = await planTransaction(readers, work)
      const { ahead, once, pieces } = divide(statements)
      // To make all of their texts at once would hold everybody up.
      for (const { each } of pieces) {
        each.prepare()
        await nextTurn()
      }
      try {
        for (const { statement, each } of ahead) {
          await transact((tx) => runWithoutResult(tx, CompiledQuery.raw(statement, [each])), orgId)
        }
        await transact(async (tx) => {
          for (const statement of once) await runWithoutResult(tx, statement, meaningOfFailure(statement))
          if (pieces.length > 0) await insertPieces(tx, orgId, pieces)
        }, orgId)
      } catch (error) {
        if (error instanceof ConstraintViolation) throw new PlanOutdated()
        // The writer can end after it has committed, and before it says so.
        const [first] = pieces
        const mayBeCommitted = error instanceof DatabaseUnavailable && first !== undefined
        if (!mayBeCommitted || !(await isUnfinished(readers.readLong, orgId, first))) throw error
      }
      // Also if the request does not wait for the last piece: caches must not keep what it replaces.
      finished = this.#finish(orgId, pieces, () => committed(planning, orgId))
      await withTimeout(finished, waitMsMax)
      return result
    } finally {
      // The lock is left when the last piece is written, which may be later.
      const leave = () => locks.leave(orgId)
      if (finished === undefined) leave()
      else void finished.then(leave, leave)
    }
  }

  /** Resolves when the organisation has nothing left to write. Undefined if it has nothing now. */
  settled(orgId: OrgId): Promise<void> | undefined {
    const finishing = this.#finishing.get(orgId)
    if (finishing === undefined) return undefined
    const settled = withTimeout(finishing, this.#options.waitMsMax)
    // The caller may wait later.
    settled.catch(() => {})
    return settled
  }

  /** What is not written then is left to the next process. */
  close(): void {
    this.#closing.abort()
  }

  #finish(orgId: OrgId, pieces: readonly Piece[], whenDone: () => void): Promise<void> {
    const finished = this.#finishAll(orgId, pieces)
      .finally(() => this.#finishing.delete(orgId))
      .then(whenDone)
    finished.catch(() => {})
    this.#finishing.set(orgId, finished)
    return finished
  }

  async #finishAll(orgId: OrgId, pieces: readonly Piece[]): Promise<void> {
    const { signal } = this.#closing
    for (const piece of pieces) {
      while (!(await this.#tryToFinish(orgId, piece))) await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
    }
  }

  /** Returns false if it should be tried again. Only a constraint ends the attempts, because later pieces must not be written first. */
  async #tryToFinish(orgId: OrgId, piece: Piece): Promise<boolean> {
    if (this.#closing.signal.aborted) throw new DatabaseUnavailable('the database is being closed', undefined)
    try {
      await this.#options.transact((tx) => finishPiece(tx, orgId, piece), orgId)
      return true
    } catch (error) {
      if (!isImpossible(error)) return false
      // An operator may be erasing the organisation, from the command line, with what it has left to write.
      if (!(await isUnfinished(this.#options.readers.readLong, orgId, piece))) return true
      throw error
    }
  }
}

interface Divided {
  /** Written before the commit. */
  ahead: readonly Piece[]
  /** Part of the commit. */
  once: readonly CompiledQuery[]
  /** Written after it. */
  pieces: readonly Piece[]
}

/**
 * Statements that run for each of many rows are divided, and stay in order. All others run at once, unless an earlier one
 * that was divided writes to the same table.
 */
function divide(statements: readonly CompiledQuery[]): Divided {
  const rows = statements.reduce(
    (total, { parameters: [only] }) => total + (only instanceof EachOf ? only.rows.length : 1),
    0,
  )
  if (rows <= ROWS_MAX) return { ahead: [], once: statements, pieces: [] }
  const [ahead, once, pieces]: [Piece[], CompiledQuery[], Piece[]] = [[], [], []]
  const divided = new Set<string>()
  for (const statement of statements) {
    const table = tableOf(statement)
    const [only] = statement.parameters
    if (only instanceof EachOf && only.options.isAhead) ahead.push(...toPieces(statement.sql, only))
    else if (only instanceof EachOf || divided.has(table)) {
      const each = only instanceof EachOf ? only : new EachOf([statement.parameters])
      pieces.push(...toPieces(statement.sql, each))
      divided.add(table)
    } else once.push(statement)
  }
  return { ahead, once, pieces }
}

/** The table that a statement writes to. */
const tableOf = ({ sql }: CompiledQuery): string =>
  /^\s*(?:insert into|update|delete from) "?(\w+)/i.exec(sql)?.[1] ?? ''
