import { ApiError } from '../errors/index.ts'

export class ConstraintViolation extends Error {
  readonly kind: 'unique' | 'foreign_key' | 'check'
  readonly constraint: string

  constructor(kind: ConstraintViolation['kind'], constraint: string, cause: unknown) {
    super(`${kind} constraint ${constraint} violated`, { cause })
    this.name = 'ConstraintViolation'
    this.kind = kind
    this.constraint = constraint
  }
}

/** A value that its column cannot store. Retrying does not help. */
export class UnstorableValue extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'UnstorableValue'
  }
}

/** The database is unreachable, was locked for too long, or its disk is full. The caller may retry. */
export class DatabaseUnavailable extends Error {
  /** Another transaction held a lock for too long; the database itself is healthy. */
  readonly locked: boolean

  constructor(message: string, cause: unknown, locked = false) {
    super(message, { cause })
    this.name = 'DatabaseUnavailable'
    this.locked = locked
  }
}

/** The file of SQLite is not as SQLite has left it. */
export class DamagedDatabase extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'DamagedDatabase'
  }
}

/** Finds it among the causes of an error. */
export function findDamagedDatabase(error: unknown): DamagedDatabase | undefined {
  for (let current = error; current instanceof Error; current = current.cause)
    if (current instanceof DamagedDatabase) return current
  return undefined
}

/**
 * Turns a violated unique constraint into a `conflict` error for the field. We rely on the constraint instead of a
 * lookup beforehand, because two requests can race past a lookup.
 */
export const whenTaken =
  (constraint: string, field: string, value: unknown) =>
  (error: unknown): unknown =>
    error instanceof ConstraintViolation && error.constraint === constraint
      ? new ApiError('conflict', `Another resource already has this ${field}. Choose another one.`, {
          details: { field, value },
        })
      : error

/** Waits for a write that may violate a unique constraint. */
export async function unlessTaken<T>(constraint: string, field: string, value: unknown, write: Promise<T>): Promise<T> {
  try {
    return await write
  } catch (error) {
    throw whenTaken(constraint, field, value)(error)
  }
}
