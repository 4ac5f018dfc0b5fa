import pg from 'pg'
import { ConstraintViolation, UnstorableValue } from '../failures.ts'
import { isRetryable, toError } from './failures.ts'
import { joinStatements } from './join-statements.ts'
import type { StatementNames } from './statement-names.ts'
import { type HeldStatement, Preparation, type Statement, WholeTransaction } from './statements.ts'
import type { WatchedClient } from './watched-client.ts'

/** A larger transaction is sent on its own, so that small ones do not wait for it. */
const JOINED_BYTES_MAX = 16 * 1024

interface Member extends PromiseWithResolvers<void> {
  readonly client: WatchedClient
  readonly statements: readonly HeldStatement[]
}

/**
 * Commits transactions of one organisation together. Those with the same statements that are complete in one turn of the
 * event loop are sent as one transaction, on one connection: one message, one response, and one wait for the disk. With
 * other statements, they would lock totals in another order, and could deadlock. If the database refuses one of them, each
 * runs on its own.
 */
export class GroupCommit {
  /** The keys are organisation and statements. */
  readonly #gathering = new Map<string, Member[]>()
  readonly #names: StatementNames

  constructor(names: StatementNames) {
    this.#names = names
  }

  /** Runs statements, which must be prepared, as a transaction. Without an organisation, it joins no other. */
  run(client: WatchedClient, statements: readonly HeldStatement[], orgId: string | undefined): Promise<void> {
    if (orgId === undefined || !mayJoin(statements)) return runAlone(client, statements)
    const key = [orgId, ...statements.map(({ name }) => name)].join()
    const member = { client, statements, ...Promise.withResolvers<void>() }
    const group = this.#gathering.get(key)
    if (group === undefined) this.#start(key, member)
    else group.push(member)
    return member.promise
  }

  #start(key: string, first: Member): void {
    const group = [first]
    this.#gathering.set(key, group)
    setImmediate(() => {
      this.#gathering.delete(key)
      if (group.length === 1) runEachAlone(group)
      else void this.#runTogether(first.client, group)
    })
  }

  async #runTogether(client: WatchedClient, group: readonly Member[]): Promise<void> {
    const statements = joinStatements(
      group.map((member) => member.statements),
      this.#names,
    )
    try {
      prepare(client, statements)
      await send(client, new WholeTransaction(statements))
      for (const { resolve } of group) resolve()
    } catch (error) {
      if (isRefused(error)) runEachAlone(group)
      else for (const { reject } of group) reject(error)
    }
  }
}

/** If it fails, so does the transaction that is sent next. */
function prepare(client: WatchedClient, statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (!client.hasPrepared(statement.name)) (client as unknown as pg.Client).query(new Preparation(statement))
  }
}

function runEachAlone(group: readonly Member[]): void {
  for (const { client, statements, resolve } of group) resolve(runAlone(client, statements))
}

async function runAlone(client: WatchedClient, statements: readonly HeldStatement[]): Promise<void> {
  const transaction = new WholeTransaction(statements)
  try {
    await send(client, transaction)
  } catch (error) {
    throw statements[transaction.completed]?.toFailure(error) ?? error
  }
}

async function send(client: WatchedClient, transaction: WholeTransaction): Promise<void> {
  ;(client as unknown as pg.Client).query(transaction)
  try {
    await transaction.finished
  } catch (error) {
    throw toError(error)
  }
}

/** A setting would apply to the others, too. */
const mayJoin = (statements: readonly HeldStatement[]): boolean =>
  statements.every(({ text }) => !text.startsWith('set ')) && sizeOf(statements) <= JOINED_BYTES_MAX

function sizeOf(statements: readonly HeldStatement[]): number {
  let bytes = 0
  for (const { values } of statements) for (const value of values) bytes += value?.length ?? 0
  return bytes
}

/** Whether a statement is at fault. Otherwise all would fail again, or it is unknown whether the group was committed. */
const isRefused = (error: unknown): boolean =>
  error instanceof ConstraintViolation ||
  error instanceof UnstorableValue ||
  (error instanceof pg.DatabaseError && !isRetryable(error))
