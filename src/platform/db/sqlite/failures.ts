import type { DatabaseSync } from 'node:sqlite'
import { ConstraintViolation, DamagedDatabase, DatabaseUnavailable, UnstorableValue } from '../failures.ts'

/** An error as plain data, because its class does not survive the thread boundary. */
export interface SqliteFailure {
  message: string
  errcode: number
  constraint?: string
}

const UNIQUE = 2067
const PRIMARY_KEY = 1555
const FOREIGN_KEY = 787
const CHECK = 275
const NOT_NULL = 1299
/** Primary result codes: too big, type mismatch. */
const UNSTORABLE = new Set([18, 20])
/** Primary result codes (the low byte): busy, locked, I/O error, disk full, cannot open. */
const UNAVAILABLE = new Set([5, 6, 10, 13, 14])

/** Primary result codes: malformed, not a database. */
const DAMAGED = new Set([11, 26])

/** Not of SQLite, whose codes are positive. */
export const TOO_LARGE_TO_JOIN = -1

/** The transaction has more statements than one may have that joins others. It may run again, on its own. */
export class TooLargeToJoin extends Error {}

/** SQLite reports the columns of a violated index, so we look up the name of the index. */
export function describeFailure(connection: DatabaseSync, error: unknown): SqliteFailure {
  const { message, errcode } = error as { message: string; errcode?: number }
  const failure = { message, errcode: errcode ?? 0 }
  if (failure.errcode === UNIQUE) {
    const constraint = findIndex(connection, message)
    if (constraint !== undefined) return { ...failure, constraint }
  }
  // The name that PostgreSQL gives to a primary key.
  if (failure.errcode === PRIMARY_KEY) return { ...failure, constraint: `${columnsOf(message)[0]?.split('.')[0]}_pkey` }
  return failure
}

const columnsOf = (message: string): string[] => message.replace('UNIQUE constraint failed: ', '').split(', ')

function findIndex(connection: DatabaseSync, message: string): string | undefined {
  const columns = columnsOf(message)
  const table = columns[0]?.split('.')[0] ?? ''
  const wanted = columns.map((column) => column.split('.')[1]).join()
  const indexes = connection
    .prepare(
      `select l.name, group_concat(i.name order by i.seqno) as columns
       from pragma_index_list(?) l, pragma_index_info(l.name) i where l."unique" group by l.name`,
    )
    .all(table)
  return indexes.find((index) => index.columns === wanted)?.name as string | undefined
}

/** What SQLite throws while a connection is opened. */
export function toConnectError(error: unknown): unknown {
  const { message, errcode = 0 } = error as Error & { errcode?: number }
  return DAMAGED.has(errcode & 0xff) ? new DamagedDatabase(message, error) : error
}

export function toError(failure: SqliteFailure): Error {
  const cause = Object.assign(new Error(failure.message), failure)
  switch (failure.errcode) {
    case UNIQUE:
    case PRIMARY_KEY:
      return new ConstraintViolation('unique', failure.constraint ?? 'unique', cause)
    case TOO_LARGE_TO_JOIN:
      return new TooLargeToJoin()
    case FOREIGN_KEY:
      return new ConstraintViolation('foreign_key', 'foreign key', cause)
    case CHECK:
      return new ConstraintViolation('check', failure.message.replace('CHECK constraint failed: ', ''), cause)
  }
  if (failure.errcode === NOT_NULL || UNSTORABLE.has(failure.errcode & 0xff)) {
    return new UnstorableValue(failure.message, cause)
  }
  if (UNAVAILABLE.has(failure.errcode & 0xff)) return new DatabaseUnavailable(failure.message, cause)
  if (DAMAGED.has(failure.errcode & 0xff)) return new DamagedDatabase(failure.message, cause)
  return cause
}
