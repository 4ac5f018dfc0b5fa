import { ConstraintViolation, DatabaseUnavailable, UnstorableValue } from '../failures.ts'

const UNIQUE = '23505'
const FOREIGN_KEY = '23503'
const CHECK = '23514'
/** Class 22 (bad data), and a NULL in a NOT NULL column. */
const UNSTORABLE = /^22|^23502$/

/** Serialisation failure and deadlock: the same transaction may succeed on retry. */
const RETRYABLE = new Set(['40001', '40P01'])

const LOCK_TIMEOUT = '55P03'
/** Classes: connection, operator intervention (shutdown), resources, system; a read-only standby; and codes of Node. */
const UNAVAILABLE = /^(08|57|53|58)|^25006$|^E[A-Z]{3,}/

/** Errors without a code that `pg` throws when a connection is lost or unavailable. */
const DISCONNECTED = /connection|connect timeout|timeout exceeded|client (was|has)|pool (is|after)/i

interface PostgresError {
  code?: string
  constraint?: string
  message: string
}

export const isRetryable = (error: unknown): boolean => RETRYABLE.has((error as PostgresError).code ?? '')

export function toError(error: unknown): unknown {
  const { code, constraint = '', message } = error as PostgresError
  if (code === UNIQUE) return new ConstraintViolation('unique', constraint, error)
  if (code === FOREIGN_KEY) return new ConstraintViolation('foreign_key', constraint, error)
  if (code === CHECK) return new ConstraintViolation('check', constraint, error)
  if (UNSTORABLE.test(code ?? '')) return new UnstorableValue(message, error)
  if (code === LOCK_TIMEOUT) return new DatabaseUnavailable(message, error, true)
  if (code === undefined ? DISCONNECTED.test(message) : UNAVAILABLE.test(code)) {
    return new DatabaseUnavailable(message, error)
  }
  return error
}
